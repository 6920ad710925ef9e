import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Selectable } from 'kysely';
import { writeAuditLog } from '../../kernel/audit.ts';
import { CHALLENGE_LIFETIME_MS, createChallenge, consumeChallenge } from '../../accounts/passkey-challenges.ts';
import { loadWebauthn } from '../../accounts/webauthn.ts';
import type { PasskeysTable } from '../../database/schema/passkeys.ts';
import type { Answer, Call } from '../calls/call.ts';
import { limitCaller } from '../calls/limits.ts';
import { readChallenge, passkeyOverError, passkeyRefusedError, getRelyingParty } from './passkeys.ts';
import { checkApplication, openSession } from './sign-in.ts';
import { shopNow } from '../../base/clock/time.ts';

/**
 * Starts a sign-in by passkey. The request names no account: the customer's device knows its own.
 */
export async function startPasskeySignIn(call: Call<'startPasskeySignIn'>): Answer<'startPasskeySignIn'> {
  const { services, store, query } = call;
  checkApplication(call, query.appid);
  // Each view of the sign-in form makes a challenge where the browser offers passkeys; a separate
  // limit keeps these from blocking sign-ins.
  await limitCaller(call, query.autofill === true ? 'passkey-offer' : 'provider');
  const { generateAuthenticationOptions } = await loadWebauthn();
  const options = await generateAuthenticationOptions({
    rpID: getRelyingParty(call).id,
    challenge: await createChallenge(services.db, store.id, null),
    timeout: CHALLENGE_LIFETIME_MS,
    userVerification: 'required',
  });
  return { options: { ...options } };
}

type Passkey = Selectable<PasskeysTable>;

const findPasskey = ({ services, store }: Call, credentialId: string): Promise<Passkey | undefined> =>
  services.db
    .selectFrom('passkeys')
    .innerJoin('users', (join) =>
      join.onRef('users.store_id', '=', 'passkeys.store_id').onRef('users.id', '=', 'passkeys.user_id'),
    )
    .selectAll('passkeys')
    .where('passkeys.store_id', '=', store.id)
    .where('passkeys.credential_id', '=', credentialId)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst();

/**
 * Verifies that the passkey's device has signed the challenge for this shop.
 * @returns the passkey's new signature counter; undefined if the verification fails, or the counter
 * went back, as that of a cloned passkey does
 */
async function verifyPasskey(
  call: Call,
  passkey: Passkey,
  response: AuthenticationResponseJSON,
  challenge: string,
): Promise<number | undefined> {
  const { origin, id } = getRelyingParty(call);
  // The device names the account of its key; another account than the passkey's is an error or an
  // attack.
  const { userHandle } = response.response;
  if (userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString('utf8') !== passkey.user_id) return undefined;
  const { verifyAuthenticationResponse } = await loadWebauthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
        transports: passkey.transports,
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}

/** Signs in by the device's signature, once for each challenge. */
export async function signInByPasskey(call: Call<'signInByPasskey'>): Answer<'signInByPasskey'> {
  const { services, store, request, query, body } = call;
  checkApplication(call, query.appid);
  await limitCaller(call, 'provider');
  const response = { clientExtensionResults: {}, ...body.credential } as AuthenticationResponseJSON;
  const challenge = readChallenge(response.response.clientDataJSON);
  // Before the look-up, so that a request with an expired challenge reveals no passkey.
  if (!(await consumeChallenge(services.db, challenge, { storeId: store.id, userId: null }))) throw passkeyOverError();
  const passkey = await findPasskey(call, response.id);
  if (!passkey) throw passkeyRefusedError();
  const counter = await verifyPasskey(call, passkey, response, challenge);
  const owner = { storeId: store.id, userId: passkey.user_id };
  const updateResult =
    counter !== undefined &&
    (await services.db
      .updateTable('passkeys')
      .set({ counter, last_used_at: shopNow() })
      .where('store_id', '=', store.id)
      .where('id', '=', passkey.id)
      // Refused if a concurrent sign-in has already changed the counter.
      .where('counter', '=', passkey.counter)
      .executeTakeFirst());
  if (!updateResult || updateResult.numUpdatedRows === 0n) {
    await writeAuditLog(services.db, 'passkey_refused', { ...owner, address: request.ip });
    throw passkeyRefusedError();
  }
  const credential = { kind: 'passkey', id: passkey.id } as const;
  return openSession(call, { userId: passkey.user_id, credential, createInvalidError: passkeyRefusedError }, query);
}
