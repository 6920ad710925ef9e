import { redeemMachine } from '../../../machines/buying/redeem.ts';
import { codePath, paymentPath, type Offer, type OfferKind, type RedeemForm } from '../../../machines/model/buying/redeem.ts';
import { hidden } from '../../../machines/model/account/after-sign-in.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { creditNews } from '../../client/subscription/credit-news.ts';
import { grants } from '../../client/library/grants.ts';
import { requireForm } from '../../client/account/start-session.ts';
import { secretInAddress } from '../../history/secret-in-address.ts';
import { withheld } from '../../history/withheld.ts';
import { keepCode } from '../../storage/kept-code.ts';
import { applyCode, redeemCode } from './calls.ts';
import type { World } from '../../shell/app/world.ts';

export const flow = ({ api, own }: World) =>
  redeemMachine.provide({
    actors: {
      keepCode: safePort<null, { pii: { form: RedeemForm | null } }>(
        async ({ input }) => {
          own(withheld).withhold(codePath, `/redeem/${encodeURIComponent(requireForm(input.pii.form).code)}`);
          return null;
        },
        () => null,
      ),
      lookUp: requestPort<Offer>(async ({ signal }) => {
        const code = secretInAddress();
        const offer = await applyCode(await api(), code, signal);
        // It goes along to the payment, where that uses it.
        own(withheld).withhold(paymentPath(offer, hidden), paymentPath(offer, code));
        if (offer.kind === 'discount' && !offer.redeemed) keepCode(code);
        return offer;
      }),
      recallCode: safePort<{ pii: { form: RedeemForm | null } }>(
        async () => ({ pii: { form: { code: secretInAddress() } } }),
        () => ({ pii: { form: null } }),
      ),
      // Not taken back when the page is left: it was asked for, and costs nothing.
      redeem: requestPort<string | null, { kind: OfferKind; titleId: string }>(async ({ input }) => {
        const instanceId = await redeemCode(await api(), { ...input, code: secretInAddress() });
        if (instanceId !== null) own(grants).tell();
        // A subscription may bring some, too.
        else own(creditNews).tell();
        return instanceId;
      }),
    },
  });
