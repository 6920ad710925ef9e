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
  operate: (name: string, input: OperationInput) => Promise<OperationResult>;
  files: TitleFileStore;
  close: () => Promise<void>;
};

/** A shop that cannot be reached or used: further operations would fail too. */
export class ShopUnavailable extends BadOperation {}

type ShopResponse = { status: number; body: Record<string, unknown> | undefined };

/**
 * Calls a running shop.
 * @throws BadOperation with the shop's message; ShopUnavailable if the shop accepts no operations,
 * or does not answer
 */
function connectToRunningShop(address: string, adminToken: string): ShopConnection {
  const sendRequest = async (path: string, init: RequestInit): Promise<ShopResponse> => {
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${adminToken}` };
    const failUnavailable = () => {
      throw new ShopUnavailable(`The shop at ${address} does not answer.`);
    };
    const response = await fetch(new URL(path, address), { ...init, headers }).catch(failUnavailable);
    const { status } = response;
    if (status === 401) throw new ShopUnavailable(`ADMIN_TOKEN is not that of the shop at ${address}.`);
    const text = await response.text().catch(failUnavailable);
    const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : undefined;
    if (status === 400 && typeof body?.['error'] === 'string') throw new BadOperation(body['error']);
    if (status === 507 && typeof body?.['error'] === 'string') throw new DiskFull(body['error']);
    if (status === 404)
      throw new ShopUnavailable(
        `The shop at ${address} accepts no operations: it was started without ADMIN_TOKEN, or is not a shop.`,
      );
    if ((status === 200 || status === 409) && body) return { status, body };
    throw new ShopUnavailable(`The shop at ${address} answered with unexpected status ${status}.`);
  };
  const getFilePath = ({ storeId, titleId }: TitleOfStore, { name, size }: ImportedFile): string =>
    `/admin/stores/${encodeURIComponent(storeId)}/titles/${encodeURIComponent(titleId)}/files/${name}?size=${size}`;
  return {
    async operate(name, input) {
      const path = `/admin/operations/${name.replace(' ', '/')}`;
      const { body } = await sendRequest(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(input),
      });
      return body as OperationResult;
    },
    files: {
      async have(title, file) {
        return Number((await sendRequest(getFilePath(title, file), {})).body?.['have']);
      },
      async add(title, file, at, piece) {
        const headers = { 'content-type': 'application/octet-stream' };
        const { status, body } = await sendRequest(`${getFilePath(title, file)}&at=${at}`, {
          method: 'PUT',
          headers,
          body: Buffer.from(piece),
        });
        const have = Number(body?.['have']);
        if (status === 409) throw new WrongOffset(have);
        return have;
      },
    },
    close: async () => {},
  };
}

const createTokenError = (problem: string): BadOperation =>
  new BadOperation(`${problem} Set ADMIN_TOKEN to the one that it was started with, or stop it first.`);

const rejectUnknownFolder = (): never => {
  throw new ShopUnavailable('Set MEDIA_DIR to the folder in which the shops keep title files, or name a running shop by --shop.');
};
/** Rejects files: a database does not record the folder in which its shops keep them. */
const unknownFolder: TitleFileStore = { have: async () => rejectUnknownFolder(), add: async () => rejectUnknownFolder() };

/** Opens the database itself. @throws FolderInUse, BadOperation */
async function openDatabaseDirectly({ database, titlesFolder }: Settings, knowsFolder: boolean): Promise<ShopConnection> {
  if (database.kind === 'folder' && !existsSync(join(database.folder, 'postgres')))
    throw new BadOperation(`There is no shop in ${database.folder}. Start it once, or set DATA_DIR to its folder.`);
  const connection = await openDatabase(database, OPERATOR_STATEMENT_TIMEOUT_MS);
  return {
    operate: (name, input) => runOperation({ db: connection.db, config: { titlesFolder } }, name, input),
    files: knowsFolder ? new TitleFiles(titlesFolder) : unknownFolder,
    close: () => connection.close(),
  };
}

/**
 * Chooses how to run operations: on the named shop; else directly on the database; where a shop
 * runs on an embedded database, which only one process can open, through that shop.
 * @throws BadOperation, BadSetting
 */
export async function connectToShop(
  environment: NodeJS.ProcessEnv,
  root: string,
  shopUrl: string | undefined,
): Promise<ShopConnection> {
  const settings = readSettings(environment, root);
  const { adminToken, port } = settings;
  if (shopUrl !== undefined) {
    if (!/^https?:\/\//.test(shopUrl) || !URL.canParse(shopUrl))
      throw new BadOperation(`--shop must be an address like https://books.example, not "${shopUrl}".`);
    if (adminToken === undefined) throw new BadOperation('To call a shop, set ADMIN_TOKEN to the one that it was started with.');
    return connectToRunningShop(shopUrl, adminToken);
  }
  const knowsFolder = settings.database.kind === 'folder' || Boolean(environment['MEDIA_DIR'] ?? environment['DATA_DIR']);
  try {
    return await openDatabaseDirectly(settings, knowsFolder);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    if (adminToken === undefined) throw createTokenError(`A shop is running on ${settings.dataFolder}.`);
    return connectToRunningShop(`http://localhost:${port}`, adminToken);
  }
}
