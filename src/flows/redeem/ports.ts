import { redeemMachine } from '../../../machines/buying/redeem.ts';
import { codePath, paymentPath, type CodeOffer, type OfferKind, type RedeemForm } from '../../../machines/model/buying/redeem.ts';
import { HIDDEN_SECRET } from '../../../machines/model/account/after-sign-in.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { creditsChanged } from '../../client/subscription/credits-changed.ts';
import { ownershipChanged } from '../../client/library/ownership-changed.ts';
import { requireForm } from '../../client/account/start-session.ts';
import { readPathSecret } from '../../history/secret-in-address.ts';
import { createSecretAddresses } from '../../history/secret-addresses.ts';
import { saveCode } from '../../storage/stored-code.ts';
import { lookUpCode, redeemCode } from './calls.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';

export const flow = ({ api, scoped }: AppEnvironment) =>
  redeemMachine.provide({
    actors: {
      saveCode: safePort<null, { pii: { form: RedeemForm | null } }>(
        async ({ input }) => {
          scoped(createSecretAddresses).registerSecret(
            codePath,
            `/redeem/${encodeURIComponent(requireForm(input.pii.form).code)}`,
          );
          return null;
        },
        () => null,
      ),
      lookUp: requestPort<CodeOffer>(async ({ signal }) => {
        const code = readPathSecret();
        const offer = await lookUpCode(await api(), code, signal);
        // The code is sent with the payment, which uses it.
        scoped(createSecretAddresses).registerSecret(paymentPath(offer, HIDDEN_SECRET), paymentPath(offer, code));
        if (offer.kind === 'discount' && !offer.redeemed) saveCode(code);
        return offer;
      }),
      readSavedCode: safePort<{ pii: { form: RedeemForm | null } }>(
        async () => ({ pii: { form: { code: readPathSecret() } } }),
        () => ({ pii: { form: null } }),
      ),
      // Not aborted when the customer leaves the page: they have requested it, and it is free.
      redeem: requestPort<string | null, { kind: OfferKind; titleId: string }>(async ({ input }) => {
        const instanceId = await redeemCode(await api(), { ...input, code: readPathSecret() });
        if (instanceId !== null) scoped(ownershipChanged).emit();
        // A code for credits changes the balance, and a code for a subscription may change it.
        else scoped(creditsChanged).emit();
        return instanceId;
      }),
    },
  });
