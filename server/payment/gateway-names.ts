import type { Database } from '../database/open.ts';
import type { GatewayNamesTable } from '../database/schema/payments.ts';

type Kind = GatewayNamesTable['kind'];

/**
 * Maps the store's names for customers, payments and plans to a gateway's ids. A name begins with
 * the store's id and a slash. An id is stored here before a page shows it, so that of several
 * intents with one name only one can be paid.
 */
export type GatewayNames = {
  find(kind: Kind, name: string): Promise<string | undefined>;
  /** Stores an id. @returns the stored id, which may be one that another call stored first */
  storeOnce(kind: Kind, name: string, id: string): Promise<string>;
  /** Replaces the id `from` by `to`, if `from` is stored. @returns the stored id */
  replace(kind: Kind, name: string, from: string, to: string): Promise<string>;
};

const getStoreId = (name: string): string => name.slice(0, name.indexOf('/'));

/** @param gateway name and mode of the gateway */
export function createGatewayNames(db: Database, gateway: string): GatewayNames {
  const toKeyColumns = (kind: Kind, name: string) => ({ store_id: getStoreId(name), gateway, kind, name });
  const find = async (kind: Kind, name: string): Promise<string | undefined> => {
    const { store_id: storeId } = toKeyColumns(kind, name);
    const row = await db
      .selectFrom('gateway_names')
      .select('gateway_id')
      .where('store_id', '=', storeId)
      .where('gateway', '=', gateway)
      .where('kind', '=', kind)
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.gateway_id;
  };
  return {
    find,
    async storeOnce(kind, name, id) {
      await db
        .insertInto('gateway_names')
        .values({ ...toKeyColumns(kind, name), gateway_id: id })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return (await find(kind, name)) ?? id;
    },
    async replace(kind, name, from, to) {
      await db
        .updateTable('gateway_names')
        .set({ gateway_id: to })
        .where('store_id', '=', getStoreId(name))
        .where('gateway', '=', gateway)
        .where('kind', '=', kind)
        .where('name', '=', name)
        .where('gateway_id', '=', from)
        .execute();
      return (await find(kind, name)) ?? to;
    },
  };
}
