#include "output/bench/log_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::output::bench {

LogScale::LogScale(double least, double greatest, double first_pixel, double last_pixel)
    : first_decade_(static_cast<int>(std::floor(std::log10(least)))),
      last_decade_(std::max(first_decade_ + 1, static_cast<int>(std::ceil(std::log10(greatest))))),
      first_pixel_(first_pixel),
      last_pixel_(last_pixel) {}

double LogScale::pixel(double value) const {
  const double least = std::pow(10, first_decade_);
  const double place = (std::log10(std::max(value, least)) - first_decade_) /
                       static_cast<double>(last_decade_ - first_decade_);
  return first_pixel_ + std::min(place, 1.0) * (last_pixel_ - first_pixel_);
}

std::vector<double> LogScale::decades() const {
  std::vector<double> out;
  for (int decade = first_decade_; decade <= last_decade_; ++decade)
    out.push_back(std::pow(10, decade));
  return out;
}

std::vector<double> LogScale::subdivisions() const {
  std::vector<double> out;
  for (int decade = first_decade_; decade < last_decade_; ++decade)
    for (int digit = 2; digit <= 9; ++digit) out.push_back(digit * std::pow(10, decade));
  return out;
}

std::string tick_label(double value) { return fmt::format("{:g}", value); }

}  // namespace heddle::output::bench
