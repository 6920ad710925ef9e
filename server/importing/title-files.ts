import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BadOperation } from '../kernel/bad-operation.ts';
import { ownName, type TitleOfStore } from '../media/folders.ts';
import type { ImportedFile } from './imported-title.ts';
import { realNow } from '../base/clock/time.ts';

/** Bytes of one piece of a file: small enough to come within the time that a request has. */
export const PIECE = 4 * 2 ** 20;
/** Milliseconds after which an upload that nobody went on with is thrown away. */
const UNFINISHED_FOR = 7 * 24 * 60 * 60_000;

/** A piece that does not follow what is there; `have` says where to go on. */
export class WrongPlace extends Error {
  readonly have: number;
  constructor(have: number) {
    super(`There are ${have} bytes.`);
    this.have = have;
  }
}

/** There is no room for more; the next title would fare no better. */
export class DiskFull extends BadOperation {}

const UNFINISHED = '.unfinished';

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

const isFull = (error: unknown): boolean =>
  error instanceof Error && ['ENOSPC', 'EDQUOT'].includes(String(Reflect.get(error, 'code')));

/** The files of titles that are imported, each in the folder of its title. */
export class TitleFiles {
  readonly #titlesFolder: string;

  constructor(titlesFolder: string) {
    this.#titlesFolder = titlesFolder;
  }

  #folder(title: TitleOfStore): string {
    return join(this.#titlesFolder, ownName(title));
  }

  /** Those of a title's files that are not there, or not whole. */
  async lacking(title: TitleOfStore, files: readonly ImportedFile[]): Promise<ImportedFile[]> {
    const folder = this.#folder(title);
    const sizes = await Promise.all(files.map(({ name }) => sizeOf(join(folder, name))));
    return files.filter(({ size }, at) => sizes[at] !== size);
  }

  /** How many bytes of a file there are: those of an upload that was broken off as well. */
  async have(title: TitleOfStore, { name, size }: ImportedFile): Promise<number> {
    const path = join(this.#folder(title), name);
    return (await sizeOf(path)) === size ? size : Math.min(size, await sizeOf(path + UNFINISHED));
  }

  /**
   * Adds a piece to a file, at a place in bytes. With its last piece the file is compared with the hash in its name, and is there.
   * @returns how many bytes there are now
   * @throws WrongPlace, BadOperation for more than its size, for other bytes than its name says, and when the disk is full
   */
  async add(title: TitleOfStore, file: ImportedFile, at: number, piece: Uint8Array): Promise<number> {
    const folder = this.#folder(title);
    const path = join(folder, file.name);
    if ((await sizeOf(path)) === file.size) return file.size;
    try {
      await mkdir(folder, { recursive: true });
      const have = await append(path + UNFINISHED, file, at, piece);
      if (have === file.size) await finish(path, file);
      return have;
    } catch (error) {
      throw isFull(error) ? new DiskFull('The disk that the files of titles are kept on is full.') : error;
    }
  }

  /** Throws away what is none of these files, and uploads that nobody goes on with. */
  async keepOnly(title: TitleOfStore, names: ReadonlySet<string>, now = realNow()): Promise<void> {
    const folder = this.#folder(title);
    for (const name of await readdir(folder).catch(() => [])) {
      const isUnfinished = name.endsWith(UNFINISHED);
      const isOld = isUnfinished && now - (await stat(join(folder, name))).mtimeMs > UNFINISHED_FOR;
      if (isOld || (!isUnfinished && !names.has(name))) await rm(join(folder, name), { force: true });
    }
  }
}

async function append(path: string, { size }: ImportedFile, at: number, piece: Uint8Array): Promise<number> {
  const handle = await open(path, 'a+');
  try {
    const { size: have } = await handle.stat();
    if (have !== at) throw new WrongPlace(have > size ? 0 : have);
    if (at + piece.length > size) throw new BadOperation(`More than ${size} bytes were sent of a file.`);
    await handle.appendFile(piece);
    return at + piece.length;
  } finally {
    await handle.close();
  }
}

async function finish(path: string, { name }: ImportedFile): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path + UNFINISHED), hash);
  const isSame = name.includes(`-${hash.digest('hex').slice(0, 32)}.`);
  if (isSame) return rename(path + UNFINISHED, path);
  await rm(path + UNFINISHED, { force: true });
  throw new BadOperation(`What was sent of ${name} is not that file: it was changed meanwhile. Import it again.`);
}
