import type { Database } from '../database/open.ts';
import type { GatewayNamesTable } from '../database/schema/payments.ts';

type Kind = GatewayNamesTable['kind'];

/**
 * What a gateway calls the store's customers and payments. Names are those of the port, a store's id and the rest after a slash.
 * Whatever is made at a gateway is written down here before anybody is shown it, so that of several only one can ever be paid.
 */
export type GatewayNames = {
  find(kind: Kind, name: string): Promise<string | undefined>;
  /** @returns the id that was there first */
  keep(kind: Kind, name: string, id: string): Promise<string>;
  /** Lets another id stand for the name, if `from` still does. @returns the one that does now */
  replace(kind: Kind, name: string, from: string, to: string): Promise<string>;
};

const storeOf = (name: string): string => name.slice(0, name.indexOf('/'));

/** @param gateway its name and mode */
export function gatewayNames(db: Database, gateway: string): GatewayNames {
  const of = (kind: Kind, name: string) => ({ store_id: storeOf(name), gateway, kind, name });
  const find = async (kind: Kind, name: string): Promise<string | undefined> => {
    const { store_id: storeId } = of(kind, name);
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
    async keep(kind, name, id) {
      await db
        .insertInto('gateway_names')
        .values({ ...of(kind, name), gateway_id: id })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return (await find(kind, name)) ?? id;
    },
    async replace(kind, name, from, to) {
      await db
        .updateTable('gateway_names')
        .set({ gateway_id: to })
        .where('store_id', '=', storeOf(name))
        .where('gateway', '=', gateway)
        .where('kind', '=', kind)
        .where('name', '=', name)
        .where('gateway_id', '=', from)
        .execute();
      return (await find(kind, name)) ?? to;
    },
  };
}
