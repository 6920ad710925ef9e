import { randomUUID } from 'node:crypto';
import { note } from '../kernel/audit.ts';
import { notFound } from '../kernel/errors.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import type { Database } from '../database/open.ts';
import type { KeptCard } from './port.ts';
import type { PaymentServices } from './payment-services.ts';
import type { SweepRound } from './sweep-round.ts';

/** A customer; `address` is the network address from which they ask, where they do. */
export type CardOwner = { storeId: string; userId: string; address?: string };

/** The name that the gateway knows a customer by. */
export const gatewayCustomer = ({ storeId, userId }: CardOwner): string => `${storeId}/${userId}`;

/** A customer's cards, the default one first, then the latest. */
export const cardsOf = (db: Database, { storeId, userId }: CardOwner) =>
  db
    .selectFrom('cards')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .orderBy('is_default', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();

/** The gateway's token for a card of the customer. @throws DomainError not_found for any other */
export async function tokenOfCard(db: Database, { storeId, userId }: CardOwner, cardId: string): Promise<string> {
  const card = await db
    .selectFrom('cards')
    .select('gateway_card')
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('id', '=', cardId)
    .executeTakeFirst();
  if (!card) throw notFound('card');
  return card.gateway_card;
}

/** Notes that the gateway is to forget cards. */
async function giveUp(trx: Database, storeId: string, tokens: string[]): Promise<void> {
  if (tokens.length === 0) return;
  await trx
    .insertInto('forgotten_cards')
    .values(tokens.map((token) => ({ store_id: storeId, gateway_card: token })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const isGivenUp = async (db: Database, storeId: string, token: string): Promise<boolean> =>
  (await db
    .selectFrom('forgotten_cards')
    .select('gateway_card')
    .where('store_id', '=', storeId)
    .where('gateway_card', '=', token)
    .executeTakeFirst()) !== undefined;

const isDeleted = async (db: Database, { storeId, userId }: CardOwner): Promise<boolean> =>
  (await db
    .selectFrom('users')
    .select('id')
    .where('store_id', '=', storeId)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()) === undefined;

/** Makes a card of the customer the only default one. The caller holds the customer's lock. */
async function setDefault(trx: Database, { storeId, userId }: CardOwner, cardId: string): Promise<void> {
  const own = trx.updateTable('cards').where('store_id', '=', storeId).where('user_id', '=', userId);
  await own.set({ is_default: false }).where('is_default', '=', true).where('id', '<>', cardId).execute();
  await own.set({ is_default: true }).where('id', '=', cardId).execute();
}

/**
 * Notes a card that the customer has let the gateway keep, however often it is told of. The first one becomes the default.
 * A card that was kept before, by another token, stays one card; the gateway is to forget the older token.
 * @returns its id; undefined when the card, or its customer, is gone
 */
export async function keepCard(
  db: Database,
  owner: CardOwner,
  card: KeptCard,
  wantsDefault = false,
): Promise<string | undefined> {
  const known = (await cardsOf(db, owner)).find(({ gateway_card }) => gateway_card === card.token);
  if (known && !wantsDefault) return known.id;
  return db.transaction().execute(async (trx) => {
    await lockCustomer(trx, owner.storeId, owner.userId);
    if (await isGivenUp(trx, owner.storeId, card.token)) return undefined;
    if (await isDeleted(trx, owner)) {
      await giveUp(trx, owner.storeId, [card.token]);
      return undefined;
    }
    const cards = await cardsOf(trx, owner);
    const older = card.replaces ?? [];
    const [same, ...others] = cards.filter((each) => [card.token, ...older].includes(each.gateway_card));
    // Also those that are not there yet: what a later card replaces may be told of after it.
    await giveUp(trx, owner.storeId, older);
    for (const { id } of others)
      await trx.deleteFrom('cards').where('store_id', '=', owner.storeId).where('id', '=', id).execute();
    const facts = {
      gateway_card: card.token,
      brand: card.brand,
      last4: card.last4,
      exp_month: card.expMonth,
      exp_year: card.expYear,
    };
    const id = same?.id ?? randomUUID();
    if (same) await trx.updateTable('cards').set(facts).where('store_id', '=', owner.storeId).where('id', '=', id).execute();
    else
      await trx
        .insertInto('cards')
        .values({ ...facts, store_id: owner.storeId, user_id: owner.userId, id })
        .execute();
    if (wantsDefault || cards.length === 0) await setDefault(trx, owner, id);
    if (same?.gateway_card !== card.token) await note(trx, 'card_added', owner);
    return id;
  });
}

/**
 * Takes a card off. When the default one goes, the latest other becomes it. The gateway is to forget it: `forgetAtGateway`.
 * @returns the gateway's token for it; undefined when the customer has no such card
 */
export async function dropCard(db: Database, owner: CardOwner, cardId: string): Promise<string | undefined> {
  return db.transaction().execute(async (trx) => {
    await lockCustomer(trx, owner.storeId, owner.userId);
    const dropped = await trx
      .deleteFrom('cards')
      .where('store_id', '=', owner.storeId)
      .where('user_id', '=', owner.userId)
      .where('id', '=', cardId)
      .returning(['gateway_card', 'is_default'])
      .executeTakeFirst();
    if (!dropped) return undefined;
    await giveUp(trx, owner.storeId, [dropped.gateway_card]);
    await note(trx, 'card_removed', owner);
    const [latest] = await cardsOf(trx, owner);
    if (dropped.is_default && latest) await setDefault(trx, owner, latest.id);
    return dropped.gateway_card;
  });
}

/** Takes all cards off. The caller holds the customer's lock; the sweep tells the gateway. */
export async function dropAllCards(trx: Database, { storeId, userId }: CardOwner): Promise<void> {
  const dropped = await trx
    .deleteFrom('cards')
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .returning('gateway_card')
    .execute();
  await giveUp(
    trx,
    storeId,
    dropped.map(({ gateway_card }) => gateway_card),
  );
}

/** Makes a card the default one. @returns false when the customer has no such card */
export async function changeDefault(db: Database, owner: CardOwner, cardId: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await lockCustomer(trx, owner.storeId, owner.userId);
    const cards = await cardsOf(trx, owner);
    if (!cards.some(({ id }) => id === cardId)) return false;
    await setDefault(trx, owner, cardId);
    return true;
  });
}

/** Has the gateway forget a card that was given up. @throws PaymentUnknown */
export async function forgetAtGateway({ db, payment }: PaymentServices, storeId: string, token: string): Promise<void> {
  await payment.forgetCard(token);
  await db
    .updateTable('forgotten_cards')
    .set({ done: true })
    .where('store_id', '=', storeId)
    .where('gateway_card', '=', token)
    .execute();
}

/** Cards that a round of the sweep has forgotten at most. */
const BATCH = 200;

/**
 * Asks the gateway to forget removed cards that it has not confirmed yet, the longest waiting one
 * first.
 * @returns how many were forgotten
 */
export async function sweepCards(services: PaymentServices, round: SweepRound, now: Date): Promise<number> {
  const { db } = services;
  const rows = await db
    .selectFrom('forgotten_cards')
    .select(['store_id', 'gateway_card'])
    .where('done', '=', false)
    .orderBy('asked_at', (order) => order.asc().nullsFirst())
    .limit(BATCH)
    .execute();
  return round.run({
    rows,
    noteTurn: ({ store_id, gateway_card }) =>
      db
        .updateTable('forgotten_cards')
        .set({ asked_at: now })
        .where('store_id', '=', store_id)
        .where('gateway_card', '=', gateway_card)
        .execute(),
    settle: async ({ store_id, gateway_card }) => {
      await forgetAtGateway(services, store_id, gateway_card);
      return true;
    },
    describe: ({ store_id }) => ({ store: store_id }),
    failure: 'the gateway has not forgotten a card yet',
  });
}
