/** Who owns an entry and what they may do: numbers only, since names mean different people in different images. */
export interface Attributes {
  /** Permissions with setuid, setgid and sticky bits, without the file type. */
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

/** Content that stays on disk until it is copied into the archive. */
export interface DiskFile {
  readonly file: string
}

/** One entry of a tar archive. Paths are relative, with `/` between names and none at the end. */
export type TarEntry = Attributes & { readonly path: string } & (
    | {
        readonly kind: 'file'
        readonly size: number
        readonly content: Uint8Array | DiskFile
        /** Files with the same inode and the same attributes are stored once. */
        readonly inode?: string
      }
    | { readonly kind: 'directory' | 'fifo' }
    | { readonly kind: 'symlink' | 'hardlink'; readonly target: string }
  )
