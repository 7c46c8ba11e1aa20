import type { Impersonation } from './settings.ts'

/** The headers that ask the server to take us for somebody else. */
export function impersonationHeaders(who: Impersonation | undefined): Record<string, string | readonly string[]> {
  if (who === undefined) return {}
  const extra = Object.entries(who.extra).map(
    ([key, values]) => [`impersonate-extra-${encodeKey(key)}`, values] as const,
  )
  return {
    'impersonate-user': who.user,
    ...(who.uid !== undefined && { 'impersonate-uid': who.uid }),
    ...(who.groups.length > 0 && { 'impersonate-group': who.groups }),
    ...Object.fromEntries(extra),
  }
}

/** Header names are not free text: everything unusual is written as %XX, and the server reads it so. */
function encodeKey(key: string): string {
  return encodeURIComponent(key).replaceAll(/[()]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
}
