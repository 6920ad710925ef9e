import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BadOperation } from '../kernel/bad-operation.ts';
import { toTitleFolder, type TitleOfStore } from '../media/folders.ts';
import type { ImportedFile } from './imported-title.ts';
import { realNow } from '../base/clock/time.ts';

/** Bytes of one piece of a file: small enough to arrive within the request timeout. */
export const CHUNK_BYTES = 4 * 2 ** 20;
/** Milliseconds after which an unfinished upload is deleted. */
const UNFINISHED_UPLOAD_LIFETIME_MS = 7 * 24 * 60 * 60_000;

/** A piece whose offset is not the number of bytes present; `have` is the offset to resume at. */
export class WrongOffset extends Error {
  readonly have: number;
  constructor(have: number) {
    super(`Wrong offset: ${have} bytes are present.`);
    this.have = have;
  }
}

/** The disk is full; an import must stop, since the next title would fail as well. */
export class DiskFull extends BadOperation {}

const UNFINISHED_SUFFIX = '.unfinished';

const getSize = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && ['ENOSPC', 'EDQUOT'].includes(String(Reflect.get(error, 'code')));

/** Files of imported titles, in one folder per title. */
export class TitleFiles {
  readonly #titlesFolder: string;

  constructor(titlesFolder: string) {
    this.#titlesFolder = titlesFolder;
  }

  #folder(title: TitleOfStore): string {
    return join(this.#titlesFolder, toTitleFolder(title));
  }

  /** The files of a title that are missing or incomplete. */
  async findMissing(title: TitleOfStore, files: readonly ImportedFile[]): Promise<ImportedFile[]> {
    const folder = this.#folder(title);
    const sizes = await Promise.all(files.map(({ name }) => getSize(join(folder, name))));
    return files.filter(({ size }, index) => sizes[index] !== size);
  }

  /** The number of bytes present of a file, including those of an interrupted upload. */
  async have(title: TitleOfStore, { name, size }: ImportedFile): Promise<number> {
    const path = join(this.#folder(title), name);
    return (await getSize(path)) === size ? size : Math.min(size, await getSize(path + UNFINISHED_SUFFIX));
  }

  /**
   * Appends a piece to a file at an offset in bytes. After the last piece, the file is checked
   * against the hash in its name and becomes available.
   * @returns the number of bytes present now
   * @throws WrongOffset; BadOperation for too many bytes, for a wrong hash, and when the disk is
   * full
   */
  async add(title: TitleOfStore, file: ImportedFile, offset: number, piece: Uint8Array): Promise<number> {
    const folder = this.#folder(title);
    const path = join(folder, file.name);
    if ((await getSize(path)) === file.size) return file.size;
    try {
      await mkdir(folder, { recursive: true });
      const have = await appendChunk(path + UNFINISHED_SUFFIX, file, offset, piece);
      if (have === file.size) await finishUpload(path, file);
      return have;
    } catch (error) {
      throw isDiskFull(error) ? new DiskFull('The disk for files of titles is full.') : error;
    }
  }

  /** Deletes files with other names, and abandoned uploads. */
  async keepOnly(title: TitleOfStore, names: ReadonlySet<string>, now = realNow()): Promise<void> {
    const folder = this.#folder(title);
    for (const name of await readdir(folder).catch(() => [])) {
      const isUnfinished = name.endsWith(UNFINISHED_SUFFIX);
      const isAbandoned = isUnfinished && now - (await stat(join(folder, name))).mtimeMs > UNFINISHED_UPLOAD_LIFETIME_MS;
      if (isAbandoned || (!isUnfinished && !names.has(name))) await rm(join(folder, name), { force: true });
    }
  }
}

async function appendChunk(path: string, { size }: ImportedFile, offset: number, piece: Uint8Array): Promise<number> {
  const handle = await open(path, 'a+');
  try {
    const { size: have } = await handle.stat();
    if (have !== offset) throw new WrongOffset(have > size ? 0 : have);
    if (offset + piece.length > size)
      throw new BadOperation(`The piece ends at byte ${offset + piece.length}, beyond the file's size of ${size} bytes.`);
    await handle.appendFile(piece);
    return offset + piece.length;
  } finally {
    await handle.close();
  }
}

async function finishUpload(path: string, { name }: ImportedFile): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path + UNFINISHED_SUFFIX), hash);
  const matchesHash = name.includes(`-${hash.digest('hex').slice(0, 32)}.`);
  if (matchesHash) return rename(path + UNFINISHED_SUFFIX, path);
  await rm(path + UNFINISHED_SUFFIX, { force: true });
  throw new BadOperation(`The bytes sent do not match the hash in ${name}: the file has changed. Import it again.`);
}
