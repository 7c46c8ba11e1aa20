import type { Random } from '@slurm-operator/kube'

/** Four words of 32 bits, not all zero. */
export type XoshiroState = readonly [number, number, number, number]

const TWO_POW_32 = 2 ** 32

/**
 * xoshiro128**, the generator of Blackman and Vigna: 32 bits at a time, period 2^128 - 1, good enough for every test
 * and the same on every machine. Not for secrets.
 */
export function createXoshiro(seed: XoshiroState): () => number {
  let [a, b, c, d] = seed
  return () => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate(d, 11)
    return result
  }
}

/** The same as numbers from 0 up to, not including, 1: steps of 2^-32. */
export function toRandom(nextWord: () => number): Random {
  return () => nextWord() / TWO_POW_32
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}
