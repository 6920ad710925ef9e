import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import { titlePath } from '../../../machines/model/paths.ts';
import { purchaseSuccessPath } from '../../../machines/model/purchase-paths.ts';
import type { accountMachine } from '../../../machines/account/account.ts';
import type { PurchaseRecord } from '../../../machines/model/buying/purchase.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { formatDay } from '../../brand/facts.ts';
import { formatPrice } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import { useCreditsText } from '../../views/lazy/credits-text.ts';
import { Row } from './Row.tsx';

const Line = ({ record }: { record: PurchaseRecord }): ReactElement => {
  const { titleId, name, purchasedAt, transId, paid, credits, refundedAt } = record;
  const { t, i18n } = useLingui();
  const { store } = useBrand();
  const creditsText = useCreditsText();
  return (
    <Row alignItems="baseline" rowGap={0}>
      <chakra.span flex="1 1 14rem" minWidth="0" overflowWrap="anywhere">
        <TextLink href={titlePath(titleId, name)} display="inline-block">
          {name}
        </TextLink>
      </chakra.span>
      <chakra.time dateTime={purchasedAt} color="inkMuted">
        {formatDay(purchasedAt, i18n.locale)}
      </chakra.time>
      {refundedAt === undefined ? null : (
        <span>
          <Trans>Refunded</Trans>
        </span>
      )}
      {paid === null && credits === undefined ? null : (
        <chakra.span
          fontWeight={600}
          fontVariantNumeric="tabular-nums"
          textDecoration={refundedAt === undefined ? undefined : 'line-through'}
        >
          {credits === undefined
            ? paid && formatPrice(paid, i18n.locale, t`Free`)
            : creditsText({ amount: credits, currency: store.creditCurrency })}
        </chakra.span>
      )}
      {transId === null ? null : (
        <TextLink href={purchaseSuccessPath(transId)} aria-label={t`Receipt for ${name}`}>
          <Trans>Receipt</Trans>
        </TextLink>
      )}
    </Row>
  );
};

/** The customer's purchases with date and price, the latest first. */
export const Purchases = ({ actor }: { actor: ActorRefFrom<typeof accountMachine> }): ReactElement => {
  const records = useSelector(actor, ({ context }) => context.purchases);
  return (
    <chakra.ul listStyleType="none">
      {records.map((record) => (
        <Line key={record.instanceId} record={record} />
      ))}
    </chakra.ul>
  );
};
