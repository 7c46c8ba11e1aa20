/** The lines of a stream, as soon as each is complete. What follows the last newline is a line as well. */
export async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder() // characters may be cut between two pieces
  let begun = ''
  for await (const chunk of body) {
    const lines = (begun + decoder.decode(chunk, { stream: true })).split('\n')
    begun = lines.pop() ?? ''
    yield* lines.filter((line) => line !== '')
  }
  if (begun !== '') yield begun
}
