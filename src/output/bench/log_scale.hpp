#pragma once

/// Logarithmic axes of plots.

#include <string>
#include <vector>

namespace heddle::output::bench {

/// From values to pixels, by their logarithms. The ends are powers of ten around the values.
class LogScale {
 public:
  LogScale(double least, double greatest, double first_pixel, double last_pixel);

  /// Values outside are moved to the nearer end.
  double pixel(double value) const;
  std::vector<double> decades() const;       ///< 0.01, 0.1, 1, …
  std::vector<double> subdivisions() const;  ///< 2, 3, … 9 times each but the last of them

 private:
  int first_decade_;
  int last_decade_;
  double first_pixel_;
  double last_pixel_;
};

/// `0.01`, `1`, `1000`.
std::string tick_label(double value);

}  // namespace heddle::output::bench
