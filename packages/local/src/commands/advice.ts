/** What tends to be the cause of an error whose words do not say it, and what to do about it. */
interface Advice {
  readonly words: RegExp
  readonly says: (cache: string) => string
}

const advices: readonly Advice[] = [
  {
    words: /ENOSPC|no space left on device|disk quota exceeded/i,
    says: (cache) =>
      `The disk is full. Free some of it (what we keep is in ${cache}; npm stop -- --all removes that), or name a folder on another disk with XDG_CACHE_HOME. What was finished is kept: the same command goes on from there.`,
  },
  {
    words: /EROFS|read-only file system|EACCES: permission denied, (?:mkdir|open)/i,
    says: (cache) => `We cannot write there. The cache is ${cache}; XDG_CACHE_HOME moves it.`,
  },
  {
    words: /EADDRINUSE|address already in use/i,
    says: () =>
      'Another program has taken a port that was free a moment before. Ports are chosen anew each time: try again.',
  },
  {
    words: /EMFILE|ENFILE|too many open files/i,
    says: () =>
      'The limit of open files or of watched files is too low. Raise it: ulimit -n 65536, sysctl fs.inotify.max_user_instances=1024.',
  },
]

/** A line for people who meet this error; undefined if its own words must do. */
export function adviceFor(message: string, cache: string): string | undefined {
  return advices.find(({ words }) => words.test(message))?.says(cache)
}
