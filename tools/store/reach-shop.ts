import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BadOperation } from '../../server/kernel/bad-operation.ts';
import type { OperationInput, OperationResult } from '../../server/admin/operation-input.ts';
import { runOperation } from '../../server/admin/operations.ts';
import { FolderInUse } from '../../server/base/folder-lock.ts';
import { openDatabase, OPERATOR_STATEMENT_TIMEOUT_MS } from '../../server/database/open.ts';
import type { ImportedFile } from '../../server/importing/imported-title.ts';
import { DiskFull, TitleFiles, WrongOffset } from '../../server/importing/title-files.ts';
import type { TitleOfStore } from '../../server/media/folders.ts';
import { readSettings, type Settings } from '../../server/settings/settings.ts';
import type { TitleFileStore } from './import/send-file.ts';

/** An interface to a shop that runs operations. */
export type ShopConnection = {
  operate: (name: string, given: OperationInput) => Promise<OperationResult>;
  files: TitleFileStore;
  close: () => Promise<void>;
};

/** A shop that cannot be reached or used: further operations would fail too. */
export class ShopUnavailable extends BadOperation {}

type ShopResponse = { status: number; told: Record<string, unknown> | undefined };

/**
 * Calls a running shop.
 * @throws BadOperation with its message, ShopGone if it accepts no operations or does not answer
 */
function connectToRunningShop(address: string, adminToken: string): ShopConnection {
  const ask = async (path: string, request: RequestInit): Promise<ShopResponse> => {
    const headers = { ...(request.headers as Record<string, string>), authorization: `Bearer ${adminToken}` };
    const lost = () => {
      throw new ShopUnavailable(`The shop at ${address} does not answer.`);
    };
    const answer = await fetch(new URL(path, address), { ...request, headers }).catch(lost);
    const { status } = answer;
    if (status === 401) throw new ShopUnavailable(`ADMIN_TOKEN is not that of the shop at ${address}.`);
    const text = await answer.text().catch(lost);
    const told = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : undefined;
    if (status === 400 && typeof told?.['error'] === 'string') throw new BadOperation(told['error']);
    if (status === 507 && typeof told?.['error'] === 'string') throw new DiskFull(told['error']);
    if (status === 404)
      throw new ShopUnavailable(
        `The shop at ${address} accepts no operations: it was started without ADMIN_TOKEN, or is not a shop.`,
      );
    if ((status === 200 || status === 409) && told) return { status, told };
    throw new ShopUnavailable(`The shop at ${address} answered with unexpected status ${status}.`);
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
      return told as OperationResult;
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
        if (status === 409) throw new WrongOffset(have);
        return have;
      },
    },
    close: async () => {},
  };
}

const tokenRequired = (why: string): BadOperation =>
  new BadOperation(`${why} Set ADMIN_TOKEN to the one that it was started with, or stop it first.`);

const rejectUnknownFolder = (): never => {
  throw new ShopUnavailable('Set MEDIA_DIR to the folder in which the shops keep title files, or name a running shop by --shop.');
};
/** A database does not record where its shops keep files. */
const unknownFolder: TitleFileStore = { have: async () => rejectUnknownFolder(), add: async () => rejectUnknownFolder() };

/** Opens the database itself. @throws FolderInUse, BadOperation */
async function openDatabaseDirectly({ database, titlesFolder }: Settings, knowsFolder: boolean): Promise<ShopConnection> {
  if (database.kind === 'folder' && !existsSync(join(database.folder, 'postgres')))
    throw new BadOperation(`There is no shop in ${database.folder}. Start it once, or set DATA_DIR to its folder.`);
  const opened = await openDatabase(database, OPERATOR_STATEMENT_TIMEOUT_MS);
  return {
    operate: (name, given) => runOperation({ db: opened.db, config: { titlesFolder } }, name, given),
    files: knowsFolder ? new TitleFiles(titlesFolder) : unknownFolder,
    close: () => opened.close(),
  };
}

/**
 * Chooses how to run operations: on the named shop; else directly on the database if a server
 * allows several clients; else through the shop that runs on an embedded database, which only one
 * process can open.
 * @throws BadOperation, BadSetting
 */
export async function connectToShop(
  environment: NodeJS.ProcessEnv,
  root: string,
  named: string | undefined,
): Promise<ShopConnection> {
  const settings = readSettings(environment, root);
  const { adminToken, port } = settings;
  if (named !== undefined) {
    if (!/^https?:\/\//.test(named) || !URL.canParse(named))
      throw new BadOperation(`--shop must be an address like https://books.example, not "${named}".`);
    if (adminToken === undefined) throw new BadOperation('To call a shop, set ADMIN_TOKEN to the one that it was started with.');
    return connectToRunningShop(named, adminToken);
  }
  const knowsFolder = settings.database.kind === 'folder' || Boolean(environment['MEDIA_DIR'] ?? environment['DATA_DIR']);
  try {
    return await openDatabaseDirectly(settings, knowsFolder);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    if (adminToken === undefined) throw tokenRequired(`A shop is running on ${settings.dataFolder}.`);
    return connectToRunningShop(`http://localhost:${port}`, adminToken);
  }
}
