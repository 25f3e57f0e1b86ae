// Options on the command line, as GNU reads them: other arguments are moved behind the options,
// unless the list of options begins with '+'. That POSIXLY_CORRECT may be set is not modelled.

char *optarg;
int optind = 1, opterr = 1, optopt = '?';
static int __heddle_within;  // where in a group of letters the next one stands

static int __heddle_next_letter(int count, char *const *arguments, const char *letters) {
  char *argument = arguments[optind];
  char letter = argument[__heddle_within++];
  char *row = letter == ':' ? 0 : strchr(letters, letter);
  int is_last = !argument[__heddle_within];
  if (!row || !letter || row[1] != ':') {
    if (is_last) {
      ++optind;
      __heddle_within = 0;
    }
    optopt = letter;
    return row && letter ? (unsigned char)letter : '?';
  }
  char *rest = is_last ? 0 : argument + __heddle_within;
  ++optind;
  __heddle_within = 0;
  if (!rest && row[2] != ':') {  // it must have an argument
    if (optind >= count) {
      optopt = letter;
      return *letters == ':' ? ':' : '?';
    }
    rest = arguments[optind++];
  }
  optarg = rest;
  return (unsigned char)letter;
}

// Other arguments that were passed stand at [first, end), and options behind them that were read
// meanwhile up to `optind`. They change places at the next call.
static int __heddle_others_first = 1, __heddle_others_end = 1;

static void __heddle_exchange(char **arguments) {
  int options = optind - __heddle_others_end;
  for (int option = 0; option < options; ++option) {
    int from = __heddle_others_end + option, to = __heddle_others_first + option;
    char *moved = arguments[from];
    for (int i = from; i > to; --i) arguments[i] = arguments[i - 1];
    arguments[to] = moved;
  }
  __heddle_others_first += options;
  __heddle_others_end = optind;
}
static int __heddle_is_option(const char *argument) { return argument[0] == '-' && argument[1]; }

// Goes on to the next option. Whether there is one.
static int __heddle_find_option(int count, char **arguments, int is_in_order) {
  optarg = 0;
  if (optind == 0) {
    optind = __heddle_others_first = __heddle_others_end = 1;
    __heddle_within = 0;
  }
  if (__heddle_within) return 1;
  if (__heddle_others_end > optind) __heddle_others_end = optind;
  if (__heddle_others_first > optind) __heddle_others_first = optind;
  int has_others = __heddle_others_first != __heddle_others_end;
  if (!is_in_order) {
    if (has_others && __heddle_others_end != optind) __heddle_exchange(arguments);
    else if (__heddle_others_end != optind) __heddle_others_first = optind;
    while (optind < count && !__heddle_is_option(arguments[optind])) ++optind;
    __heddle_others_end = optind;
    has_others = __heddle_others_first != __heddle_others_end;
  }
  if (optind < count && strcmp(arguments[optind], "--") == 0) {
    ++optind;
    if (has_others && __heddle_others_end != optind) __heddle_exchange(arguments);
    else if (!has_others) __heddle_others_first = optind;
    optind = __heddle_others_end = count;
    has_others = __heddle_others_first != __heddle_others_end;
  }
  if (optind >= count) {
    if (has_others) optind = __heddle_others_first;
    return 0;
  }
  return __heddle_is_option(arguments[optind]);
}

struct __heddle_option {
  const char *name;
  int has_argument;  // 0 no, 1 always, 2 after '='
  int *flag;
  int value;
};
static int __heddle_long_option(int count, char *const *arguments, const char *letters,
                                const struct __heddle_option *options, int *which) {
  char *name = arguments[optind++] + 2;
  size_t length = 0;
  while (name[length] && name[length] != '=') ++length;
  int found = -1, is_ambiguous = 0;
  for (int i = 0; options[i].name; ++i) {
    if (strncmp(options[i].name, name, length) != 0) continue;
    if (!options[i].name[length]) {
      found = i;
      is_ambiguous = 0;
      break;
    }
    if (found < 0) found = i;
    else if (options[i].has_argument != options[found].has_argument ||
             options[i].flag != options[found].flag || options[i].value != options[found].value)
      is_ambiguous = 1;
  }
  optopt = 0;
  if (found < 0 || is_ambiguous) return '?';
  const struct __heddle_option *option = &options[found];
  if (name[length] == '=') {
    if (option->has_argument == 0) {
      optopt = option->value;
      return '?';
    }
    optarg = name + length + 1;
  } else if (option->has_argument == 1) {
    if (optind >= count) {
      optopt = option->value;
      return *letters == ':' ? ':' : '?';
    }
    optarg = arguments[optind++];
  }
  if (which) *which = found;
  if (!option->flag) return option->value;
  *option->flag = option->value;
  return 0;
}
int getopt_long(int count, char *const *arguments, const char *letters,
                const struct __heddle_option *options, int *which) {
  if (*letters == '-') __heddle_unsupported("getopt that returns other arguments");
  int is_in_order = *letters == '+';
  if (!__heddle_find_option(count, (char **)arguments, is_in_order)) return -1;
  letters += is_in_order;
  if (options && !__heddle_within && arguments[optind][1] == '-')
    return __heddle_long_option(count, arguments, letters, options, which);
  if (!__heddle_within) __heddle_within = 1;
  return __heddle_next_letter(count, arguments, letters);
}
int getopt(int count, char *const *arguments, const char *letters) {
  return getopt_long(count, arguments, letters, 0, 0);
}
