/**
 * Container images without a container engine: layers from folders and generated files, archives in OCI layout.
 *
 * The same content gives the same bytes, whenever, wherever and by whomever it is packed, so that a digest can stand
 * for its content in caches. Nothing here starts a program or talks to a network.
 *
 * @module
 */
export { buildLayer, type Layer } from './build-layer.ts'
export { type LayerEntry } from './layer-entry.ts'
export { writeImageArchive } from './write-image-archive.ts'
