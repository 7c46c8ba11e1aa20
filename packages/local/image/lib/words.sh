# shellcheck shell=bash
# Arguments as words of a shell line, in the array `words`.

# shell_words LINE: quotes, $VAR and $(...) take effect; `;`, `&`, `|` and `<` `>` outside of quotes are refused.
shell_words() {
  # shellcheck disable=SC2034 # the roles use it
  words=()
  eval "words=($1
)" || fail 64 'Cannot read the arguments: quotes do not match, or one of ; & | < > stands outside of quotes. Quote it.'
}
