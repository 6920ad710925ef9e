import { writeAuditLog } from '../../kernel/audit.ts';
import { toMajor } from '../../base/money.ts';
import { readGiftTitles } from '../../gifts/gift-titles.ts';
import { purchaseColumns } from '../../database/schema/payments.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { unauthorized } from '../../kernel/errors.ts';

/** Returns the columns that are exported to the customer. */
const listExportedColumns = <Name extends string>(columns: Readonly<Record<Name, 'exported' | 'kept'>>): Name[] =>
  (Object.keys(columns) as Name[]).filter((name) => columns[name] === 'exported');

/**
 * Converts a row to its exported form by its columns, so that a new column is exported without a
 * change here.
 */
const toExportedRow = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column.replaceAll(/_(\w)/g, (_, character: string) => character.toUpperCase()),
      value instanceof Date ? value.toISOString() : value,
    ]),
  );

/**
 * Returns all data that the store has about the customer, except secrets: hashes, tokens, and the
 * gateway's ids of cards.
 */
export async function userData({ services, store, customer, request }: CustomerCall<'userData'>): Answer<'userData'> {
  const { db } = services;
  const account = await db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'fields', 'created_at'])
    .where('store_id', '=', store.id)
    .where('id', '=', customer.id)
    .executeTakeFirst();
  if (!account) throw unauthorized();
  const devices = await db
    .selectFrom('devices')
    .select(['id', 'name', 'registered_at', 'last_seen_at', 'removed_at'])
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .orderBy('registered_at')
    .execute();
  const identities = await db
    .selectFrom('identities')
    .select(['issuer', 'subject', 'created_at'])
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .orderBy('created_at')
    .execute();
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['name', 'created_at', 'last_used_at'])
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .orderBy('created_at')
    .execute();
  const cards = await db
    .selectFrom('cards')
    .select(['brand', 'last4', 'exp_month', 'exp_year', 'created_at'])
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .orderBy('created_at')
    .execute();
  const purchases = await db
    .selectFrom('purchases')
    .select(listExportedColumns(purchaseColumns))
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .orderBy('purchased_at')
    .execute();
  const subscriptions = await db
    .selectFrom('subscriptions')
    .select(['plan_id', 'status', 'started_at', 'renews_at', 'cancelled_at', 'ended_at'])
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .orderBy('started_at')
    .execute();
  const credits = await db
    .selectFrom('credits')
    .select(['cause', 'amount', 'booked_at'])
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .orderBy('booked_at')
    .orderBy('cause')
    .execute();
  const codes = await db
    .selectFrom('redemptions')
    .select(['code', 'redeemed_at'])
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .orderBy('redeemed_at')
    .execute();
  const gifts = await db
    .selectFrom('gifts')
    .select([
      'id',
      'title_id',
      'transaction_id',
      'recipient_name',
      'recipient_email',
      'message',
      'deliver_on',
      'created_at',
      'sent_at',
    ])
    .where('store_id', '=', store.id)
    .where('giver_id', '=', customer.id)
    .orderBy('created_at')
    .execute();
  const giftTitles = await readGiftTitles(db, store.id, gifts);
  const library = await db
    .selectFrom('entitlements')
    .innerJoin('titles', (join) =>
      join.onRef('titles.store_id', '=', 'entitlements.store_id').onRef('titles.id', '=', 'entitlements.title_id'),
    )
    .select(['entitlements.title_id', 'titles.name', 'entitlements.source', 'entitlements.granted_at'])
    .where('entitlements.store_id', '=', store.id)
    .where('entitlements.user_id', '=', customer.id)
    .orderBy('entitlements.granted_at')
    .execute();
  const wishes = await db
    .selectFrom('wishes')
    .select(['title_id', 'saved_at'])
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .orderBy('saved_at')
    .execute();
  const cart = await db
    .selectFrom('cart_lines')
    .select(['title_id', 'added_at'])
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .orderBy('added_at')
    .execute();
  const positions = await db
    .selectFrom('progress')
    .select(['title_id', 'context_key', 'position', 'saved_at', 'device_name', 'earlier'])
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .orderBy('saved_at')
    .execute();
  const activity = await db
    .selectFrom('audit_log')
    .select(['kind', 'network', 'at'])
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .orderBy('id')
    .execute();
  await writeAuditLog(db, 'data_downloaded', { storeId: store.id, userId: customer.id, address: request.ip });
  return {
    account: {
      userId: account.id,
      email: account.email,
      name: account.name,
      answers: account.fields,
      createdAt: account.created_at.toISOString(),
    },
    signsInBy: identities.map((row) => ({ issuer: row.issuer, subject: row.subject, since: row.created_at.toISOString() })),
    passkeys: passkeys.map((row) => ({
      name: row.name,
      addedAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
    })),
    devices: devices.map((row) => ({
      deviceId: row.id,
      name: row.name,
      firstSignedInAt: row.registered_at.toISOString(),
      lastSignedInAt: row.last_seen_at.toISOString(),
      signedOutAt: row.removed_at?.toISOString() ?? null,
    })),
    cards: cards.map((row) => ({
      brand: row.brand,
      lastFour: row.last4,
      expires: `${row.exp_year}-${String(row.exp_month).padStart(2, '0')}`,
      keptAt: row.created_at.toISOString(),
    })),
    purchases: purchases.map(({ id, amount_minor: paid, tax_minor: tax, ...row }) => ({
      purchaseId: id,
      ...toExportedRow(row),
      paid: row.currency === null ? null : toMajor(paid, row.currency),
      tax: row.currency === null ? null : toMajor(tax, row.currency),
    })),
    subscriptions: subscriptions.map((row) => ({
      planId: row.plan_id,
      status: row.status,
      startedAt: row.started_at.toISOString(),
      paidUntil: row.renews_at?.toISOString() ?? null,
      cancelledAt: row.cancelled_at?.toISOString() ?? null,
      endedAt: row.ended_at?.toISOString() ?? null,
    })),
    credits: credits.map((row) => ({ cause: row.cause, amount: row.amount, bookedAt: row.booked_at.toISOString() })),
    codes: codes.map((row) => ({ code: row.code, redeemedAt: row.redeemed_at.toISOString() })),
    library: library.map((row) => ({
      titleId: row.title_id,
      name: row.name,
      source: row.source,
      grantedAt: row.granted_at.toISOString(),
    })),
    activity: activity.map((row) => ({ what: row.kind, network: row.network, at: row.at.toISOString() })),
    gifts: gifts.map((row) => ({
      giftId: row.id,
      titleIds: giftTitles(row).map(({ titleId }) => titleId),
      recipientName: row.recipient_name,
      recipientEmail: row.recipient_email,
      message: row.message,
      deliverOn: row.deliver_on,
      givenAt: row.created_at.toISOString(),
      sentAt: row.sent_at?.toISOString() ?? null,
    })),
    wishes: wishes.map((row) => ({ titleId: row.title_id, savedAt: row.saved_at.toISOString() })),
    cart: cart.map((row) => ({ titleId: row.title_id, addedAt: row.added_at.toISOString() })),
    places: positions.map((row) => ({
      titleId: row.title_id,
      of: row.context_key,
      position: row.position,
      savedAt: row.saved_at.toISOString(),
      device: row.device_name,
      earlier: row.earlier,
    })),
  };
}
