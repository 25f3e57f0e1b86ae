#pragma once

/// Assertions in comments, as ACSL writes them: `//@ assert x != 0;` and `/*@ assert x != 0; */`
/// are checked where they stand.

#include <memory>

namespace clang {
class CommentHandler;
}

namespace heddle::frontend::c {

/// Puts tokens in place of such comments:
///
///     { __heddle_atomic_begin(); if (!(x != 0)) __heddle_fail("x != 0"); __heddle_atomic_end(); }
///
/// A formula is about one moment, so its evaluation is atomic. `\true`, `\false` and `==>` outside
/// parentheses are understood; other constructs of the logic are errors. Annotations other than
/// assertions stay comments.
std::unique_ptr<clang::CommentHandler> assertion_reader();

}  // namespace heddle::frontend::c
