import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Selectable } from 'kysely';
import { note } from '../../kernel/audit.ts';
import { CHALLENGE_LIFETIME, makeChallenge, takeChallenge } from '../../accounts/passkey-challenges.ts';
import { webauthn } from '../../accounts/webauthn.ts';
import type { PasskeysTable } from '../../database/schema/passkeys.ts';
import type { Answer, Call } from '../calls/call.ts';
import { limitCaller } from '../calls/limits.ts';
import { challengeIn, passkeyOver, passkeyRefused, relyingParty } from './passkeys.ts';
import { checkApplication, openSession } from './sign-in.ts';
import { shopNow } from '../../base/clock/time.ts';

/** Begins to sign in by a passkey. Nobody is named: the customer's device knows the account. */
export async function startPasskeySignIn(call: Call<'startPasskeySignIn'>): Answer<'startPasskeySignIn'> {
  const { services, store, query } = call;
  checkApplication(call, query.appid);
  // Every look at the form makes one where the browser offers passkeys; they shall keep nobody from signing in.
  await limitCaller(call, query.autofill === true ? 'passkey-offer' : 'provider');
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(call).id,
    challenge: await makeChallenge(services.db, store.id, null),
    timeout: CHALLENGE_LIFETIME,
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
 * How often the passkey has signed by now, if its device has signed what was asked, for this shop.
 * @returns undefined where it has not, or has signed less often than before: then there are two of it
 */
async function counterAfter(
  call: Call,
  passkey: Passkey,
  response: AuthenticationResponseJSON,
  challenge: string,
): Promise<number | undefined> {
  const { origin, id } = relyingParty(call);
  // The device names whose key it is; one that names somebody else is mistaken, or lies.
  const { userHandle } = response.response;
  if (userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString('utf8') !== passkey.user_id) return undefined;
  const { verifyAuthenticationResponse } = await webauthn();
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

/** Signs in by what a device has signed, once for each challenge. */
export async function signInByPasskey(call: Call<'signInByPasskey'>): Answer<'signInByPasskey'> {
  const { services, store, request, query, body } = call;
  checkApplication(call, query.appid);
  await limitCaller(call, 'provider');
  const response = { clientExtensionResults: {}, ...body.credential } as AuthenticationResponseJSON;
  const challenge = challengeIn(response.response.clientDataJSON);
  // Before anything is looked for: what is asked with an old challenge learns nothing.
  if (!(await takeChallenge(services.db, challenge, { storeId: store.id, userId: null }))) throw passkeyOver();
  const passkey = await findPasskey(call, response.id);
  if (!passkey) throw passkeyRefused();
  const counter = await counterAfter(call, passkey, response, challenge);
  const owner = { storeId: store.id, userId: passkey.user_id };
  const used =
    counter !== undefined &&
    (await services.db
      .updateTable('passkeys')
      .set({ counter, last_used_at: shopNow() })
      .where('store_id', '=', store.id)
      .where('id', '=', passkey.id)
      // Of two that have counted alike, one came in between.
      .where('counter', '=', passkey.counter)
      .executeTakeFirst());
  if (!used || used.numUpdatedRows === 0n) {
    await note(services.db, 'passkey_refused', { ...owner, address: request.ip });
    throw passkeyRefused();
  }
  const credential = { kind: 'passkey', id: passkey.id } as const;
  return openSession(call, { userId: passkey.user_id, credential, over: passkeyRefused }, query);
}
