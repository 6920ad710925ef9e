import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import { purchaseSuccessPath } from '../../../machines/model/paths.ts';
import type { Refund } from '../../../machines/model/buying/purchase.ts';
import type { libraryMachine } from '../../../machines/reading/library.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { priceText } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { Notice } from '../../ui/Notice.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { useCreditsText } from '../../views/late/credits-text.ts';

const Refunded = ({ refund }: { refund: Refund }): ReactElement => {
  const { t, i18n } = useLingui();
  const { store } = useBrand();
  const creditsText = useCreditsText();
  const { transId, name, titles, refundedAt, paid, credits } = refund;
  const date = i18n.date(refundedAt, { dateStyle: 'long' });
  const amount = paid === null ? '' : priceText(paid, i18n.locale, '');
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
        <Trans>You have got {tokens} back.</Trans>
      )}{' '}
      <TextLink href={purchaseSuccessPath(transId)} aria-label={t`Receipt for ${name}`}>
        <Trans>Receipt</Trans>
      </TextLink>
    </Notice>
  );
};

/** The orders that have left the library lately with their money. */
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
