import {
  isJsonList,
  isJsonObject,
  ownValue,
  type Container,
  type JsonObject,
  type JsonValue,
  type PodSpec,
} from '@slurm-operator/kube'
import { findRepeated } from './find-repeated.ts'
import { mergeContainer } from './merge-container.ts'
import type { Built, Problem } from './problem.ts'

type Lists = Pick<PodSpec, 'containers' | 'initContainers'>

/** Both lists of containers of a pod: ours with the user's of the same name merged in, then the user's others. */
export function mergeContainerLists(base: PodSpec, user: JsonObject, path: string): Built<Lists> {
  const containers = mergeByName(base.containers, ownValue(user, 'containers'), `${path}.containers`)
  const first = mergeByName(base.initContainers ?? [], ownValue(user, 'initContainers'), `${path}.initContainers`)
  const lists = {
    containers: containers.value,
    ...(first.value.length > 0 && { initContainers: first.value }),
  }
  const twice = findRepeatedNames([...first.value, ...containers.value], path)
  return { value: lists, problems: [...first.problems, ...containers.problems, ...twice] }
}

function mergeByName(base: readonly Container[], user: JsonValue | undefined, path: string): Built<Container[]> {
  const read = readContainers(user, path)
  const names = new Set(base.map(({ name }) => name))
  const merged = base.map((ours) => mergeAll(ours, read.value, path))
  return {
    value: [...merged.map(({ value }) => value), ...read.value.filter(({ name }) => !names.has(name))],
    problems: [...read.problems, ...merged.flatMap(({ problems }) => problems)],
  }
}

function mergeAll(ours: Container, user: readonly Container[], path: string): Built<Container> {
  const theirs = user.find(({ name }) => name === ours.name)
  return mergeContainer(ours, theirs, `${path}[${ours.name}]`)
}

function readContainers(list: JsonValue | undefined, path: string): Built<Container[]> {
  if (list !== undefined && !isJsonList(list))
    return { value: [], problems: [{ path, problem: 'must be a list. Write each container as an element.' }] }
  const named = (list ?? []).filter((element) => isJsonObject(element) && typeof ownValue(element, 'name') === 'string')
  const containers = named as unknown as Container[]
  const nameless = (list ?? []).length - named.length
  const problems = nameless > 0 ? [{ path, problem: `has ${nameless} without a name. Name each container.` }] : []
  return { value: containers, problems: [...problems, ...findRepeatedNames(containers, path)] }
}

function findRepeatedNames(containers: readonly Container[], path: string): Problem[] {
  const twice = findRepeated(containers.map(({ name }) => name))
  return twice.map((name) => ({ path, problem: `has two containers named ${name}. Rename one of them.` }))
}
