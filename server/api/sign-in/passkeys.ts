import { randomUUID } from 'node:crypto';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { writeAuditLog } from '../../kernel/audit.ts';
import { lockForSession } from '../../kernel/lock-customer.ts';
import { CHALLENGE_LIFETIME_MS, createChallenge, consumeChallenge } from '../../accounts/passkey-challenges.ts';
import { deletePasskey } from '../../providers/sign-in-methods.ts';
import { requireSignInMethod } from '../../providers/linked-providers.ts';
import { loadWebauthn } from '../../accounts/webauthn.ts';
import { readShopName } from '../../catalogue/shop-name.ts';
import { isUniqueViolation, type Database } from '../../database/open.ts';
import { enqueueEmail } from '../../mail/queue.ts';
import { getStoreOrigin } from '../../stores/origin.ts';
import type { Answer, Call, CustomerCall } from '../calls/call.ts';
import { limitCaller } from '../calls/limits.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';
import { requireRecentSignIn } from '../calls/require-recent-sign-in.ts';

/**
 * COSE ids of the signature algorithms that devices support in every browser, and Node as well:
 * EdDSA, ES256, RS256.
 */
const ALGORITHMS = [-8, -7, -257];

/** Maximum passkeys per account. */
const MAX_PASSKEYS = 20;

export const passkeyOverError = (): DomainError =>
  new DomainError('conflict', 'This was finished before, or begun too long ago. Please try again.', { code: 'passkey_over' });

/** A wrong signature and an unknown passkey get the same error, so that neither is revealed. */
export const passkeyRefusedError = (): DomainError =>
  new DomainError('conflict', 'This passkey does not open an account.', { code: 'passkey_refused' });

const passkeysFullError = (): DomainError =>
  new DomainError('conflict', 'There is no room for another passkey.', { code: 'passkeys_full' });

/** Returns the relying party of the store's passkeys: browsers offer them on no other host. */
export function getRelyingParty({ services, store, request }: Call): { origin: string; id: string } {
  // Normalised as browsers send it: without the default port.
  const { origin, hostname: id } = new URL(getStoreOrigin(store, request, services.config));
  return { origin, id };
}

/**
 * Reads the challenge that a device claims to have signed.
 * @param clientData base64url of JSON
 * @throws DomainError conflict passkey_refused for data that no browser would send
 */
export function readChallenge(clientData: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8')) as { challenge?: unknown };
    if (typeof challenge === 'string') return challenge;
  } catch {
    // The data is not JSON.
  }
  throw passkeyRefusedError();
}

const selectPasskeys = (db: Database, storeId: string, userId: string) =>
  db.selectFrom('passkeys').where('store_id', '=', storeId).where('user_id', '=', userId);

async function readPasskeys({ services, store, customer }: CustomerCall) {
  const rows = await selectPasskeys(services.db, store.id, customer.id)
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

/** Returns the customer's passkeys, the latest first. */
export async function passkeys(call: CustomerCall<'passkeys'>): Answer<'passkeys'> {
  return { passkeys: await readPasskeys(call) };
}

/**
 * Starts adding a passkey. The customer must have signed in a moment ago: a stranger at a browser
 * that was left signed in must not take over the account.
 */
export async function startPasskey(call: CustomerCall<'startPasskey'>): Answer<'startPasskey'> {
  const { services, store, customer, spoken } = call;
  const { db } = services;
  await limitCaller(call, 'provider');
  await requireRecentSignIn(call);
  const storedPasskeys = await selectPasskeys(db, store.id, customer.id).select(['credential_id', 'transports']).execute();
  if (storedPasskeys.length >= MAX_PASSKEYS) throw passkeysFullError();
  const shop = await readShopName(db, store.id, { language: spoken.language });
  const { generateRegistrationOptions } = await loadWebauthn();
  const options = await generateRegistrationOptions({
    rpName: shop,
    rpID: getRelyingParty(call).id,
    // Shown to the customer in their device's list of passkeys.
    userName: customer.email || customer.name || shop,
    userDisplayName: customer.name || customer.email || shop,
    // The id identifies no person, and stays the same after a change of the address.
    userID: new TextEncoder().encode(customer.id),
    challenge: await createChallenge(db, store.id, customer.id),
    timeout: CHALLENGE_LIFETIME_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: storedPasskeys.map(({ credential_id: id, transports }) => ({ id, transports })),
    // A discoverable key with user verification opens the account by itself: the device knows the
    // account, and its holder proves to be the owner.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { options: { ...options } };
}

type NewPasskey = { id: string; publicKey: Uint8Array; counter: number; transports?: string[] };

/** Verifies that the device has made its key for this shop and this challenge. */
async function verifyNewPasskey(call: Call, response: RegistrationResponseJSON, challenge: string): Promise<NewPasskey> {
  const { origin, id } = getRelyingParty(call);
  const expectedValues = {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  };
  const { verifyRegistrationResponse } = await loadWebauthn();
  const { verified, registrationInfo } = await verifyRegistrationResponse({ response, ...expectedValues }).catch(() => {
    throw passkeyRefusedError();
  });
  if (!verified) throw passkeyRefusedError();
  return registrationInfo.credential;
}

/** Adds the passkey that the customer's device has made, and notifies them by e-mail. */
export async function addPasskey(call: CustomerCall<'addPasskey'>): Answer<'addPasskey'> {
  const { services, store, customer, request, body, spoken } = call;
  await limitCaller(call, 'provider');
  const response = { clientExtensionResults: {}, ...body.credential } as RegistrationResponseJSON;
  const challenge = readChallenge(response.response.clientDataJSON);
  const owner = { storeId: store.id, userId: customer.id };
  if (!(await consumeChallenge(services.db, challenge, owner))) throw passkeyOverError();
  const newPasskey = await verifyNewPasskey(call, response, challenge);
  const id = randomUUID();
  const add = async (trx: Database): Promise<void> => {
    await lockForSession(trx, store.id, customer);
    const storedPasskeys = await selectPasskeys(trx, store.id, customer.id).select('id').execute();
    if (storedPasskeys.length >= MAX_PASSKEYS) throw passkeysFullError();
    await trx
      .insertInto('passkeys')
      .values({
        store_id: store.id,
        id,
        user_id: customer.id,
        credential_id: newPasskey.id,
        public_key: Buffer.from(newPasskey.publicKey).toString('base64url'),
        counter: newPasskey.counter,
        transports: JSON.stringify(newPasskey.transports ?? []),
        name: body.name.trim() || 'Unnamed device',
      })
      .execute();
    await writeAuditLog(trx, 'passkey_added', { ...owner, address: request.ip });
    const origin = getStoreOrigin(store, request, services.config);
    const notification = { kind: 'passkey-added', email: customer.email, language: spoken.language, origin } as const;
    await enqueueEmail(trx, { storeId: store.id, ...notification });
  };
  try {
    await services.db.transaction().execute(add);
  } catch (error) {
    if (!isUniqueViolation(error, 'passkeys_store_id_credential_id_key')) throw error;
    throw new DomainError('conflict', 'This passkey opens an account already.', { code: 'passkey_known' });
  }
  return { added: id, passkeys: await readPasskeys(call) };
}

/**
 * Renames a passkey.
 * @throws DomainError not_found for a passkey that the customer does not have, bad_request bad_name
 * for a blank name
 */
export async function renamePasskey(call: CustomerCall<'renamePasskey'>): Answer<'renamePasskey'> {
  const { services, store, customer, body } = call;
  const name = body.name.trim();
  if (name === '') throw new DomainError('bad_request', 'The name must not be blank.', { code: 'bad_name' });
  const updateResult = await services.db
    .updateTable('passkeys')
    .set({ name })
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .where('id', '=', body.passkeyId)
    .executeTakeFirst();
  if (updateResult.numUpdatedRows === 0n) throw notFound('passkey');
  return { passkeys: await readPasskeys(call) };
}

/**
 * Deletes a passkey of the customer, and notifies them by e-mail.
 * @throws DomainError not_found for a passkey that the customer does not have, conflict last_way_in
 * if it is the only sign-in method, conflict sign_in_again if the last sign-in is too long ago
 */
export async function removePasskey(call: CustomerCall<'removePasskey'>): Answer<'removePasskey'> {
  const { services, store, customer, request, body, spoken } = call;
  await requireRecentSignIn(call);
  const owner = { storeId: store.id, userId: customer.id, address: request.ip };
  const origin = getStoreOrigin(store, request, services.config);
  await services.db.transaction().execute(async (trx) => {
    await lockForSession(trx, store.id, customer);
    if (!(await deletePasskey(trx, owner, body.passkeyId))) throw notFound('passkey');
    await requireSignInMethod(trx, owner);
    const notification = { kind: 'passkey-removed', email: customer.email, language: spoken.language, origin } as const;
    await enqueueEmail(trx, { storeId: store.id, ...notification });
  });
  return { passkeys: await readPasskeys(call) };
}
