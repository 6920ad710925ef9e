/** How much a container may claim before it is refused; sizes in bytes. */
export type ZipLimits = {
  entries: number;
  directoryBytes: number;
  /** One entry, unpacked. */
  entryBytes: number;
  /** All entries, unpacked. */
  totalBytes: number;
  /** Unpacked to packed; only entries above `ratioFrom` are judged, since tiny files of spaces pack absurdly well. */
  ratio: number;
  ratioFrom: number;
  /** A document that is parsed in memory. */
  xmlBytes: number;
};

export const usualLimits: ZipLimits = {
  entries: 20_000,
  directoryBytes: 16 * 2 ** 20,
  entryBytes: 512 * 2 ** 20,
  totalBytes: 2 ** 32,
  ratio: 200,
  ratioFrom: 2 ** 20,
  xmlBytes: 16 * 2 ** 20,
};
