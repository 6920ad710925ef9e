import { randomUUID } from 'node:crypto';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { note } from '../../kernel/audit.ts';
import { lockForSession } from '../../kernel/lock-customer.ts';
import { CHALLENGE_LIFETIME, makeChallenge, takeChallenge } from '../../accounts/passkey-challenges.ts';
import { deletePasskey } from '../../providers/remove-way.ts';
import { requireWayIn } from '../../providers/ways.ts';
import { webauthn } from '../../accounts/webauthn.ts';
import { shopName } from '../../catalogue/shop-name.ts';
import { isUniqueViolation, type Database } from '../../database/open.ts';
import { queueLetter } from '../../mail/queue.ts';
import { originOf } from '../../stores/origin.ts';
import type { Answer, Call, CustomerCall } from '../calls/call.ts';
import { limitCaller } from '../calls/limits.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';
import { requireFresh } from '../calls/require-fresh.ts';

/** The signatures that every browser's devices offer and Node knows, by their COSE numbers: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];

/** More than anybody has devices. */
const MOST = 20;

export const passkeyOver = (): DomainError =>
  new DomainError('conflict', 'This was finished before, or begun too long ago. Please try again.', { code: 'passkey_over' });

/** What a device has answered is not what was asked for, or its key opens nothing: which of them, nobody learns. */
export const passkeyRefused = (): DomainError =>
  new DomainError('conflict', 'This passkey does not open an account.', { code: 'passkey_refused' });

const full = (): DomainError => new DomainError('conflict', 'There is no room for another passkey.', { code: 'passkeys_full' });

/** Where passkeys of the store are good: a browser shows them on no other host. */
export function relyingParty({ services, store, request }: Call): { origin: string; id: string } {
  // As browsers write it: without the port that goes without saying.
  const { origin, hostname: id } = new URL(originOf(store, request, services.config));
  return { origin, id };
}

/**
 * The challenge that a device has signed, as it says itself.
 * @param clientData base64url of JSON
 * @throws DomainError conflict passkey_refused for what no browser has written
 */
export function challengeIn(clientData: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8')) as { challenge?: unknown };
    if (typeof challenge === 'string') return challenge;
  } catch {
    // No JSON.
  }
  throw passkeyRefused();
}

const ofCustomer = (db: Database, storeId: string, userId: string) =>
  db.selectFrom('passkeys').where('store_id', '=', storeId).where('user_id', '=', userId);

async function listed({ services, store, customer }: CustomerCall) {
  const rows = await ofCustomer(services.db, store.id, customer.id)
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    passkeyId: row.id,
    name: row.name,
    addedAt: row.created_at.toISOString(),
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at.toISOString() }),
  }));
}

/** The customer's passkeys, the latest first. */
export async function passkeys(call: CustomerCall<'passkeys'>): Answer<'passkeys'> {
  return { passkeys: await listed(call) };
}

/**
 * Begins to add a passkey. Whoever finds a browser signed in cannot take the account over by one: the customer must have
 * signed in a moment ago.
 */
export async function startPasskey(call: CustomerCall<'startPasskey'>): Answer<'startPasskey'> {
  const { services, store, customer, spoken } = call;
  const { db } = services;
  await limitCaller(call, 'provider');
  await requireFresh(call);
  const known = await ofCustomer(db, store.id, customer.id).select(['credential_id', 'transports']).execute();
  if (known.length >= MOST) throw full();
  const shop = await shopName(db, store.id, { language: spoken.language });
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: shop,
    rpID: relyingParty(call).id,
    // The customer sees it where their device lists its passkeys.
    userName: customer.email || customer.name || shop,
    userDisplayName: customer.name || customer.email || shop,
    // Names nobody, and stays when the address changes.
    userID: new TextEncoder().encode(customer.id),
    challenge: await makeChallenge(db, store.id, customer.id),
    timeout: CHALLENGE_LIFETIME,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
    // It opens the account by itself: the device knows whose it is, and who holds the device shows that it is theirs.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { options: { ...options } };
}

type Made = { id: string; publicKey: Uint8Array; counter: number; transports?: string[] };

/** The key that a device has made, if it has made it for this shop and this challenge. */
async function madePasskey(call: Call, response: RegistrationResponseJSON, challenge: string): Promise<Made> {
  const { origin, id } = relyingParty(call);
  const expected = {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  };
  const { verifyRegistrationResponse } = await webauthn();
  const { verified, registrationInfo } = await verifyRegistrationResponse({ response, ...expected }).catch(() => {
    throw passkeyRefused();
  });
  if (!verified) throw passkeyRefused();
  return registrationInfo.credential;
}

/** Adds the passkey that the customer's device has made; a letter says so. */
export async function addPasskey(call: CustomerCall<'addPasskey'>): Answer<'addPasskey'> {
  const { services, store, customer, request, body, spoken } = call;
  await limitCaller(call, 'provider');
  const response = { clientExtensionResults: {}, ...body.credential } as RegistrationResponseJSON;
  const challenge = challengeIn(response.response.clientDataJSON);
  const owner = { storeId: store.id, userId: customer.id };
  if (!(await takeChallenge(services.db, challenge, owner))) throw passkeyOver();
  const made = await madePasskey(call, response, challenge);
  const id = randomUUID();
  const add = async (trx: Database): Promise<void> => {
    await lockForSession(trx, store.id, customer);
    const known = await ofCustomer(trx, store.id, customer.id).select('id').execute();
    if (known.length >= MOST) throw full();
    await trx
      .insertInto('passkeys')
      .values({
        store_id: store.id,
        id,
        user_id: customer.id,
        credential_id: made.id,
        public_key: Buffer.from(made.publicKey).toString('base64url'),
        counter: made.counter,
        transports: JSON.stringify(made.transports ?? []),
        name: body.name.trim() || 'Unnamed device',
      })
      .execute();
    await note(trx, 'passkey_added', { ...owner, address: request.ip });
    const origin = originOf(store, request, services.config);
    const letter = { kind: 'passkey-added', email: customer.email, language: spoken.language, origin } as const;
    await queueLetter(trx, { storeId: store.id, ...letter });
  };
  try {
    await services.db.transaction().execute(add);
  } catch (error) {
    if (!isUniqueViolation(error, 'passkeys_store_id_credential_id_key')) throw error;
    throw new DomainError('conflict', 'This passkey opens an account already.', { code: 'passkey_known' });
  }
  return { added: id, passkeys: await listed(call) };
}

/**
 * Gives a passkey another name. @throws DomainError not_found for one that the customer does not
 * have, bad_request where nothing is left of the name
 */
export async function renamePasskey(call: CustomerCall<'renamePasskey'>): Answer<'renamePasskey'> {
  const { services, store, customer, body } = call;
  const name = body.name.trim();
  if (name === '') throw new DomainError('bad_request', 'This is no name.', { code: 'bad_name' });
  const renamed = await services.db
    .updateTable('passkeys')
    .set({ name })
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .where('id', '=', body.passkeyId)
    .executeTakeFirst();
  if (renamed.numUpdatedRows === 0n) throw notFound('passkey');
  return { passkeys: await listed(call) };
}

/**
 * Deletes a passkey of the customer; an e-mail says so.
 * @throws DomainError not_found for one that the customer does not have, conflict last_way_in where
 * nothing else opens the account, conflict sign_in_again for a session of longer ago
 */
export async function removePasskey(call: CustomerCall<'removePasskey'>): Answer<'removePasskey'> {
  const { services, store, customer, request, body, spoken } = call;
  await requireFresh(call);
  const asking = { storeId: store.id, userId: customer.id, address: request.ip };
  const origin = originOf(store, request, services.config);
  await services.db.transaction().execute(async (trx) => {
    await lockForSession(trx, store.id, customer);
    if (!(await deletePasskey(trx, asking, body.passkeyId))) throw notFound('passkey');
    await requireWayIn(trx, asking);
    const letter = { kind: 'passkey-removed', email: customer.email, language: spoken.language, origin } as const;
    await queueLetter(trx, { storeId: store.id, ...letter });
  });
  return { passkeys: await listed(call) };
}
