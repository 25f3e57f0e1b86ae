#pragma once

#include <cstdint>
#include <utility>

namespace heddle::model::c {

/// A value that copies share until one of them writes to it. Not shared between threads: counting
/// is not atomic, which is most of what copying a state costs.
template <class T>
class CopyOnWrite {
 public:
  CopyOnWrite() : node_(new Node{T{}, 1}) {}
  explicit CopyOnWrite(T value) : node_(new Node{std::move(value), 1}) {}
  CopyOnWrite(const CopyOnWrite& other) noexcept : node_(other.node_) { ++node_->references; }
  CopyOnWrite(CopyOnWrite&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  CopyOnWrite& operator=(CopyOnWrite other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~CopyOnWrite() {
    if (node_ != nullptr && --node_->references == 0) delete node_;
  }

  const T& operator*() const { return node_->value; }
  const T* operator->() const { return &node_->value; }

  /// The value, to be changed: from now on this copy has one of its own.
  T& write() {
    if (node_->references > 1) {
      Node* own = new Node{node_->value, 1};
      --node_->references;
      node_ = own;
    }
    return node_->value;
  }

  /// Whether two copies share one value. That they do not says nothing.
  bool shares_with(const CopyOnWrite& other) const { return node_ == other.node_; }

 private:
  struct Node {
    T value;
    std::uint32_t references;
  };
  Node* node_;
};

}  // namespace heddle::model::c
