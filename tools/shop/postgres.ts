import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, readFile, rm, chmod, cp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, basename, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { array, object, parse, string } from 'valibot';
import { findFreePort } from './free-ports.ts';
import { installShippedPostgres, findSystemPostgres } from '../start/programs.mjs';

const linkSchema = array(object({ source: string(), target: string() }));

/**
 * Creates the symbolic links between the libraries: npm packages cannot contain any, so the package
 * only lists them.
 */
async function createLinks(native: string): Promise<void> {
  const links = parse(linkSchema, JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')));
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    await symlink(basename(source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/**
 * Copies PostgreSQL's programs, because another user runs them, who may have no access to the
 * project's folder.
 * @returns the folder with the copies
 */
async function unpack(folder: string): Promise<string> {
  const native = join(folder, 'native');
  await cp(await installShippedPostgres(), native, { recursive: true, verbatimSymlinks: true });
  await createLinks(native);
  return join(native, 'bin');
}

/**
 * The folder with `initdb` and `postgres`: the system's newest, or the package's, unpacked into
 * `folder`.
 */
async function findPostgresPrograms(folder: string): Promise<string> {
  return (await findSystemPostgres()) ?? (await unpack(folder));
}

/** A PostgreSQL server for tests; `url` connects to its database `postgres` as a superuser. */
type RunningPostgres = { url: string; stop(): Promise<void> };

type User = { uid: number; gid: number };

/**
 * Finds the user that runs PostgreSQL, which refuses to run as root. @returns the ids of `postgres`
 * or the system user `nobody` if this process is root; undefined for the current user
 */
async function getPostgresUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const entry = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody');
  if (entry === undefined)
    throw new Error('PostgreSQL refuses to run as root: expected the user `postgres` or `nobody` in /etc/passwd');
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}

async function waitForExit(child: ChildProcess, program: string): Promise<void> {
  let errorOutput = '';
  child.stderr?.on('data', (chunk: Buffer) => (errorOutput += chunk.toString()));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`${program} exited with ${String(child.exitCode)}: ${errorOutput}`);
}

async function waitUntilReady(child: ChildProcess): Promise<void> {
  if (child.stderr === null) throw new Error('the stderr of the PostgreSQL server is not piped');
  const lines: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    if (line.includes('database system is ready to accept connections')) return;
    lines.push(line);
  }
  throw new Error(`PostgreSQL did not start:\n${lines.join('\n')}`);
}

/**
 * Starts a server in a temporary folder, which `stop` deletes. Its data does not survive a crash:
 * fsync is off.
 */
export async function startPostgres(): Promise<RunningPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-postgres-'));
  const programs = await findPostgresPrograms(folder);
  const owner = await getPostgresUser();
  const data = join(folder, 'data');
  await chmod(folder, 0o755);
  await mkdir(data, { mode: 0o700 });
  if (owner !== undefined) {
    await chown(folder, owner.uid, owner.gid);
    await chown(data, owner.uid, owner.gid);
  }
  const options = { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'] };
  const initdbArgs = ['-D', data, '-U', 'colophon', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await waitForExit(spawn(join(programs, 'initdb'), initdbArgs, options), 'initdb');
  const port = await findFreePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    full_page_writes: 'off',
    max_connections: '200',
  };
  const settingArgs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...settingArgs], options);
  await waitUntilReady(server);
  server.stderr.resume();
  return {
    url: `postgres://colophon@127.0.0.1:${port}/postgres`,
    async stop() {
      const closeEvent = once(server, 'close');
      // SIGINT is a fast shutdown: it disconnects clients.
      server.kill('SIGINT');
      await closeEvent;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
