import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import { purchaseSuccessPath } from '../../../machines/model/purchase-paths.ts';
import type { Refund } from '../../../machines/model/buying/purchase.ts';
import type { libraryMachine } from '../../../machines/reading/library.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { formatDay } from '../../brand/facts.ts';
import { formatPrice } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { Notice } from '../../ui/Notice.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { useCreditsText } from '../../views/lazy/credits-text.ts';

const Refunded = ({ refund }: { refund: Refund }): ReactElement => {
  const { t, i18n } = useLingui();
  const { store } = useBrand();
  const creditsText = useCreditsText();
  const { transId, name, titles, refundedAt, paid, credits } = refund;
  const date = formatDay(refundedAt, i18n.locale);
  const amount = paid === null ? '' : formatPrice(paid, i18n.locale, '');
  const tokens = credits === undefined ? '' : creditsText({ amount: credits, currency: store.creditCurrency });
  return (
    <Notice>
      {titles === 1 ? (
        <Trans>
          “{name}” was refunded on {date} and has left your library.
        </Trans>
      ) : (
        <Plural
          value={titles}
          one={`# title was refunded on ${date} and has left your library.`}
          other={`# titles were refunded on ${date} and have left your library.`}
        />
      )}{' '}
      {credits === undefined ? (
        <Trans>{amount} goes back to the card that you paid with.</Trans>
      ) : (
        <Trans>You’ve got {tokens} back.</Trans>
      )}{' '}
      <TextLink href={purchaseSuccessPath(transId)} aria-label={t`Receipt for ${name}`}>
        <Trans>Receipt</Trans>
      </TextLink>
    </Notice>
  );
};

/** Notices about purchases that were refunded recently and have left the library. */
export const Refunds = ({ actor }: { actor: ActorRefFrom<typeof libraryMachine> }): ReactElement | null => {
  const refunds = useSelector(actor, (state) => state.context.refunds);
  return refunds.length === 0 ? null : (
    <chakra.div mb={8} display="grid" gap={3}>
      {refunds.map((refund) => (
        <Refunded key={refund.transId} refund={refund} />
      ))}
    </chakra.div>
  );
};
