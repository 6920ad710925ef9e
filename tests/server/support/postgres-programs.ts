import { cp, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { array, object, parse, string } from 'valibot';
import { shippedPostgres, systemPostgres } from '../../../tools/start/programs.mjs';

const links = array(object({ source: string(), target: string() }));

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
  await cp(await shippedPostgres(), native, { recursive: true, verbatimSymlinks: true });
  await link(native);
  return join(native, 'bin');
}

/** The folder with `initdb` and `postgres`: the system's newest, or the package's, unpacked into `folder`. */
export async function postgresPrograms(folder: string): Promise<string> {
  return (await systemPostgres()) ?? (await unpack(folder));
}
