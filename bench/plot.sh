# Sourced by benches that draw curves.

# plot FILE TITLE X-AXIS < lines "curve<TAB>x<TAB>seconds": curves over a linear axis from 0 seconds up
plot() {
  awk -F'\t' -v title="$2" -v axis="$3" '
    { curve[NR] = $1; x[NR] = $2; y[NR] = $3; if (NR == 1 || $2 < low) low = $2; if ($2 > high) high = $2; if ($3 > most) most = $3 }
    function px(v) { return 80 + 500 * (v - low) / (high - low) }
    function py(v) { return 330 - 290 * v / top }
    END {
      if (NR == 0) exit
      for (step = 1e-4; step * 5 < most; count++) step *= count % 3 == 1 ? 2.5 : 2  # 1, 2, 5, 10, 20, …
      top = step * int(most / step + 0.999)
      split("#1b6ca8 #b5462c #3a7d34", colour, " ")
      print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"400\" font-family=\"sans-serif\" font-size=\"13\">"
      print "<rect width=\"720\" height=\"400\" fill=\"white\"/>"
      printf "<text x=\"360\" y=\"20\" text-anchor=\"middle\">%s</text>\n", title
      for (v = 0; v < top + step / 2; v += step)
        printf "<path d=\"M80 %.1fH580\" stroke=\"#ddd\"/><text x=\"72\" y=\"%.1f\" text-anchor=\"end\">%.4g s</text>\n", py(v), py(v) + 4, v
      for (v = low; v <= high; v++) printf "<text x=\"%.1f\" y=\"352\" text-anchor=\"middle\">%d</text>\n", px(v), v
      printf "<text x=\"330\" y=\"385\" text-anchor=\"middle\">%s</text>\n", axis
      for (i = 1; i <= NR; i++) {
        if (!(curve[i] in path)) number[curve[i]] = ++curves
        path[curve[i]] = path[curve[i]] (path[curve[i]] == "" ? "M" : "L") sprintf("%.1f %.1f", px(x[i]), py(y[i]))
        last[curve[i]] = i
        printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", px(x[i]), py(y[i]), colour[number[curve[i]]]
      }
      for (c in path) {
        printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", path[c], colour[number[c]]
        printf "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%s</text>\n", px(x[last[c]]) + 8, py(y[last[c]]) + 4, colour[number[c]], c
      }
      print "</svg>"
    }' >"$1"
}
