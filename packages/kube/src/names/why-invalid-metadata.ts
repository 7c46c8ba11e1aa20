import { whyInvalidLabelKey, whyInvalidLabelValue } from './why-invalid-name.ts'

/** How many bytes the keys and values of all annotations of one object may have together. */
export const MOST_ANNOTATION_BYTES = 256 * 1024

type TextMap = Readonly<Record<string, string>>

/** The first label that the API server would refuse, with the reason. */
export function whyInvalidLabels(labels: TextMap): string | undefined {
  for (const [key, value] of Object.entries(labels)) {
    const why = whyInvalidLabelKey(key)
    if (why !== undefined) return `the label key ${JSON.stringify(key)} is not allowed: ${why}`
    const whyValue = whyInvalidLabelValue(value)
    if (whyValue !== undefined) return `the value ${JSON.stringify(value)} of label ${key} is not allowed: ${whyValue}`
  }
  return undefined
}

/** The first annotation that the API server would refuse, or that all of them are too large together. */
export function whyInvalidAnnotations(annotations: TextMap): string | undefined {
  let bytes = 0
  for (const [key, value] of Object.entries(annotations)) {
    // Unlike labels, annotation keys may have a domain in capitals.
    const why = whyInvalidLabelKey(key.toLowerCase())
    if (why !== undefined) return `the annotation key ${JSON.stringify(key)} is not allowed: ${why}`
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value)
  }
  if (bytes <= MOST_ANNOTATION_BYTES) return undefined
  return `the annotations have ${bytes} bytes together, and ${MOST_ANNOTATION_BYTES} are allowed`
}
