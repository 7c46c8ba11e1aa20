import { describe, expect, test } from 'vitest'
import { podSizeOf } from './pod-size.ts'

const slurmd = (limits: Readonly<Record<string, string>>) => ({ name: 'slurmd', resources: { limits } })

describe('the size of a worker prevents that', () => {
  test('slurmd promises jobs more memory than the kernel grants', () => {
    expect(podSizeOf({ containers: [slurmd({ memory: '10000M' })] }).memoryMib).toBe(9536)
    expect(podSizeOf({ containers: [slurmd({ memory: '1Gi' })] }).memoryMib).toBe(1024)
    expect(podSizeOf({ containers: [slurmd({ memory: '1' })] }).memoryMib).toBe(0)
  })

  test('NS-163: half a core is no core', () => {
    expect(podSizeOf({ containers: [slurmd({ cpu: '2500m' })] }).cpus).toBe(3)
  })

  test('NS-161, NS-162: the limits of the pod hide those of slurmd, or the other way round', () => {
    const resources = { limits: { cpu: '8', memory: '4Gi' } }
    expect(podSizeOf({ resources, containers: [slurmd({ cpu: '2' })] })).toEqual({ cpus: 2, memoryMib: 4096 })
  })

  test('NS-158: a worker without limits has no size of its own', () => {
    expect(podSizeOf({ containers: [slurmd({})] })).toEqual({ cpus: 0, memoryMib: 0 })
    expect(podSizeOf({ containers: [slurmd({ memory: 'much' })] })).toEqual({ cpus: 0, memoryMib: 0 })
  })
})
