import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BadOperation, operate, type Given, type Told } from '../../server/admin/operations.ts';
import { FolderInUse } from '../../server/database/embedded/lock.ts';
import { openDatabase } from '../../server/database/open.ts';
import { readSettings, type Settings } from '../../server/settings.ts';

/** Something that does what an operator asks for. */
export type Reached = { operate: (name: string, given: Given) => Promise<Told>; close: () => Promise<void> };

/** Asks a shop that runs. @throws BadOperation with what it says, or that it does not answer */
function runningShop(address: string, adminToken: string): Reached {
  const ask = async (name: string, given: Given): Promise<Told> => {
    const url = new URL(`/admin/operations/${name.replace(' ', '/')}`, address);
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(given) }).catch(() => {
      throw new BadOperation(`The shop at ${address} does not answer.`);
    });
    if (answer.status === 401) throw new BadOperation(`ADMIN_TOKEN is not the one that the shop at ${address} was started with.`);
    const text = await answer.text();
    const told = text.startsWith('{') ? (JSON.parse(text) as Told & { error?: string }) : undefined;
    if (answer.ok && told) return told;
    if (answer.status === 400 && told?.error !== undefined) throw new BadOperation(told.error);
    if (answer.status === 404)
      throw new BadOperation(`The shop at ${address} takes no orders: it was started without ADMIN_TOKEN, or is another one.`);
    throw new BadOperation(`The shop at ${address} answered ${answer.status}.`);
  };
  return { operate: ask, close: async () => {} };
}

const needsToken = (why: string): BadOperation =>
  new BadOperation(`${why} Set ADMIN_TOKEN to the one that it was started with, or stop it first.`);

/** Opens the database itself. @throws FolderInUse, BadOperation */
async function ownDatabase({ database }: Settings): Promise<Reached> {
  if (database.kind === 'folder' && !existsSync(join(database.folder, 'postgres')))
    throw new BadOperation(`There is no shop in ${database.folder}. Start it once, or name its folder by DATA_DIR.`);
  const opened = await openDatabase(database);
  return { operate: (name, given) => operate(opened.db, name, given), close: () => opened.close() };
}

/**
 * Finds who does it: the shop that is named; else the database, which a server lets several programs open; else the shop that
 * runs on a database which no other program can open.
 * @throws BadOperation, BadSetting
 */
export async function reachShop(environment: NodeJS.ProcessEnv, root: string, named: string | undefined): Promise<Reached> {
  const settings = readSettings(environment, root);
  const { adminToken, port } = settings;
  if (named !== undefined) {
    if (!/^https?:\/\//.test(named) || !URL.canParse(named))
      throw new BadOperation(`--shop must be an address like https://books.example, not "${named}".`);
    if (adminToken === undefined) throw new BadOperation('To ask a shop, set ADMIN_TOKEN to the one that it was started with.');
    return runningShop(named, adminToken);
  }
  try {
    return await ownDatabase(settings);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    if (adminToken === undefined) throw needsToken(`A shop is running on ${settings.dataFolder}.`);
    return runningShop(`http://localhost:${port}`, adminToken);
  }
}
