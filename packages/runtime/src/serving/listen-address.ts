/** Where a server listens. Without a host: everywhere. */
export interface ListenAddress {
  readonly host?: string
  /** 0: any free one. */
  readonly port: number
}

/** An address as flags have it: `:8080`, `localhost:6060`, `[::1]:9443`; `0` or nothing switches the server off. */
export function parseListenAddress(text: string): ListenAddress | 'off' {
  if (text === '0' || text === '') return 'off'
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/.exec(text) ?? []
  const port = digits === '' ? NaN : Number(digits)
  if (!(port <= 65_535)) {
    throw new Error(
      `Cannot listen on ${JSON.stringify(text)}: it is not an address. Give host:port with a port up to 65535, such as :8080.`,
    )
  }
  const host = bracketed ?? plain ?? ''
  return host === '' ? { port } : { host, port }
}

/** The way people write it. */
export function printListenAddress({ host = '', port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
