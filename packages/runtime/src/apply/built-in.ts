import { applySchema, schemaNames } from '@slurm-operator/kube'

const atomicNames: ReadonlySet<string> = new Set(
  Object.values(applySchema).flatMap((fields) =>
    Object.entries(fields).flatMap(([name, { mapType }]) => (mapType === 'atomic' ? [name] : [])),
  ),
)

/** Whether the server knows this type by Go structs, which leave out what is empty, or by a schema that somebody wrote. */
export function isBuiltIn(type: string): boolean {
  return Object.hasOwn(schemaNames, type)
}

/** Whether a map in a field of this name may be one value. In kinds that we do not know, any map may be. */
export function isAtomicMap(name: string, type: string): boolean {
  return atomicNames.has(name) || !isBuiltIn(type)
}
