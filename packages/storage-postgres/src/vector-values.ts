/** The vector as pgvector reads it. Nine digits tell any two numbers of single precision apart. */
export function vectorText(vector: readonly number[]): string {
  return `[${vector.map((value) => value.toPrecision(9)).join(',')}]`
}

/**
 * Vectors of equal length as Postgres takes an array of them in binary: the array's head, then each vector behind its size
 * (`array_recv` of Postgres, `vector_recv` of pgvector). All numbers are big-endian. Reading them as text takes ten times as long.
 */
export function vectorArrayBuffer(
  vectors: readonly (readonly number[])[],
  typeOid: number,
): Buffer {
  const dimensions = vectors[0]?.length ?? 0
  const vectorSize = 4 + 4 * dimensions
  const buffer = Buffer.alloc(20 + vectors.length * (4 + vectorSize))
  buffer.writeInt32BE(1, 0)
  buffer.writeUInt32BE(typeOid, 8)
  buffer.writeInt32BE(vectors.length, 12)
  buffer.writeInt32BE(1, 16)
  let offset = 20
  for (const vector of vectors) {
    buffer.writeInt32BE(vectorSize, offset)
    buffer.writeInt16BE(dimensions, offset + 4)
    offset += 8
    for (const value of vector) offset = buffer.writeFloatBE(value, offset)
  }
  return buffer
}
