/**
 * Objects in caches and records of lists never change, they are replaced: what is read of one is read once, however many
 * passes ask.
 */
export function oncePerObject<Key extends object, Value>(read: (object: Key) => Value): (object: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>()
  return (object) => {
    const before = known.get(object) ?? { value: read(object) }
    known.set(object, before)
    return before.value
  }
}
