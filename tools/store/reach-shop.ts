import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BadOperation } from '../../server/kernel/bad-operation.ts';
import type { Given, Told } from '../../server/admin/given.ts';
import { operate } from '../../server/admin/operations.ts';
import { FolderInUse } from '../../server/base/folder-lock.ts';
import { openDatabase, OPERATOR_STATEMENT_TIMEOUT } from '../../server/database/open.ts';
import type { ImportedFile } from '../../server/importing/imported-title.ts';
import { DiskFull, TitleFiles, WrongPlace } from '../../server/importing/title-files.ts';
import type { TitleOfStore } from '../../server/media/folders.ts';
import { readSettings, type Settings } from '../../server/settings/settings.ts';
import type { FilesOfTitles } from './import/send-file.ts';

/** Something that does what an operator asks for. */
export type Reached = {
  operate: (name: string, given: Given) => Promise<Told>;
  files: FilesOfTitles;
  close: () => Promise<void>;
};

/** A shop that answers nothing that could be gone on with. */
export class ShopGone extends BadOperation {}

type Answer = { status: number; told: Record<string, unknown> | undefined };

/** Asks a shop that runs. @throws BadOperation with what it says, ShopGone when it takes no orders or does not answer */
function runningShop(address: string, adminToken: string): Reached {
  const ask = async (path: string, request: RequestInit): Promise<Answer> => {
    const headers = { ...(request.headers as Record<string, string>), authorization: `Bearer ${adminToken}` };
    const lost = () => {
      throw new ShopGone(`The shop at ${address} does not answer.`);
    };
    const answer = await fetch(new URL(path, address), { ...request, headers }).catch(lost);
    const { status } = answer;
    if (status === 401) throw new ShopGone(`ADMIN_TOKEN is not the one that the shop at ${address} was started with.`);
    const text = await answer.text().catch(lost);
    const told = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : undefined;
    if (status === 400 && typeof told?.['error'] === 'string') throw new BadOperation(told['error']);
    if (status === 507 && typeof told?.['error'] === 'string') throw new DiskFull(told['error']);
    if (status === 404)
      throw new ShopGone(`The shop at ${address} takes no orders: it was started without ADMIN_TOKEN, or is another one.`);
    if ((status === 200 || status === 409) && told) return { status, told };
    throw new ShopGone(`The shop at ${address} answered ${status}.`);
  };
  const pathOf = ({ storeId, titleId }: TitleOfStore, { name, size }: ImportedFile): string =>
    `/admin/stores/${encodeURIComponent(storeId)}/titles/${encodeURIComponent(titleId)}/files/${name}?size=${size}`;
  return {
    async operate(name, given) {
      const path = `/admin/operations/${name.replace(' ', '/')}`;
      const { told } = await ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(given),
      });
      return told as Told;
    },
    files: {
      async have(title, file) {
        return Number((await ask(pathOf(title, file), {})).told?.['have']);
      },
      async add(title, file, at, piece) {
        const headers = { 'content-type': 'application/octet-stream' };
        const { status, told } = await ask(`${pathOf(title, file)}&at=${at}`, {
          method: 'PUT',
          headers,
          body: Buffer.from(piece),
        });
        const have = Number(told?.['have']);
        if (status === 409) throw new WrongPlace(have);
        return have;
      },
    },
    close: async () => {},
  };
}

const needsToken = (why: string): BadOperation =>
  new BadOperation(`${why} Set ADMIN_TOKEN to the one that it was started with, or stop it first.`);

const sayWhere = (): never => {
  throw new ShopGone('Say by MEDIA_DIR where the shops keep the files of titles, or name one of them by --shop.');
};
/** A database server does not tell where its shops keep files. */
const nowhere: FilesOfTitles = { have: async () => sayWhere(), add: async () => sayWhere() };

/** Opens the database itself. @throws FolderInUse, BadOperation */
async function ownDatabase({ database, titlesFolder }: Settings, knowsFolder: boolean): Promise<Reached> {
  if (database.kind === 'folder' && !existsSync(join(database.folder, 'postgres')))
    throw new BadOperation(`There is no shop in ${database.folder}. Start it once, or name its folder by DATA_DIR.`);
  const opened = await openDatabase(database, OPERATOR_STATEMENT_TIMEOUT);
  return {
    operate: (name, given) => operate({ db: opened.db, config: { titlesFolder } }, name, given),
    files: knowsFolder ? new TitleFiles(titlesFolder) : nowhere,
    close: () => opened.close(),
  };
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
  const knowsFolder = settings.database.kind === 'folder' || Boolean(environment['MEDIA_DIR'] ?? environment['DATA_DIR']);
  try {
    return await ownDatabase(settings, knowsFolder);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    if (adminToken === undefined) throw needsToken(`A shop is running on ${settings.dataFolder}.`);
    return runningShop(`http://localhost:${port}`, adminToken);
  }
}
