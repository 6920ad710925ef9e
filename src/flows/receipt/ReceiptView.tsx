import { useSelector } from '@xstate/react';
import type { ReactElement, ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { receiptMachine } from '../../../machines/buying/receipt.ts';
import { chakra } from '../../ui/chakra.ts';
import { Page, Sheet } from '../../ui/Page.tsx';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { ButtonLink } from '../../ui/Button.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Failed, Message } from '../../ui/Message.tsx';
import { Cover } from '../../ui/Cover.tsx';
import { hiddenInPrint } from '../../ui/hidden-in-print.ts';
import { titlePath } from '../../../machines/model/paths.ts';
import { formatOrderNumber } from '../../../machines/model/buying/order-number.ts';
import type { Receipt } from '../../../machines/model/buying/purchase.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { formatProblem } from '../../views/problem-text.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { formatDay } from '../../brand/facts.ts';
import { formatMoney, formatPrice } from '../../brand/format.ts';
import { useCreditsText } from '../../views/lazy/credits-text.ts';
import { NoSuchPlan } from '../../views/lazy/subscription-messages.tsx';
import { useRateName } from '../../views/lazy/TaxLines.tsx';
import { AppLinks } from '../../views/AppLinks.tsx';
import { AfterPurchaseButton } from './AfterPurchaseButton.tsx';
import { GiftDelivery, GiftLinks } from './GiftDelivery.tsx';
import { Subscribed } from './Subscribed.tsx';

type Props = { actor: ActorRefFrom<typeof receiptMachine> };

const LibraryLink = (): ReactElement => (
  <ButtonLink href="/mylibrary" look="outline">
    <Trans>My Library</Trans>
  </ButtonLink>
);

const Tick = (): ReactElement => (
  <chakra.svg viewBox="0 0 48 48" width="4rem" height="4rem" mx="auto" fill="none" aria-hidden color="success">
    <circle cx="24" cy="24" r="22" fill="currentColor" opacity="0.12" />
    <path d="M14 25l7 7 13-15" stroke="currentColor" strokeWidth="4" strokeLinecap="round" strokeLinejoin="round" />
  </chakra.svg>
);

const Line = ({ name, children }: { name: ReactNode; children: ReactNode }): ReactElement => (
  <chakra.div
    display="flex"
    flexWrap="wrap"
    justifyContent="space-between"
    columnGap={6}
    py={3}
    borderBottom="1px solid"
    borderColor="line"
    _last={{ borderBottomWidth: 0 }}
  >
    <chakra.dt color="inkMuted">{name}</chakra.dt>
    <chakra.dd margin={0} fontWeight={600} minWidth="0" overflowWrap="anywhere">
      {children}
    </chakra.dd>
  </chakra.div>
);

/** The titles that were bought together. */
const Titles = ({ receipt: { titles = [], currency, symbol } }: { receipt: Receipt }): ReactElement => {
  const { i18n } = useLingui();
  return (
    <>
      {titles.map(({ titleId, name, amount }) => (
        <Line key={titleId} name={<TextLink href={titlePath(titleId, name)}>{name}</TextLink>}>
          {formatMoney({ amount, currency, symbol }, i18n.locale)}
        </Line>
      ))}
    </>
  );
};

/** Thanks, and the buttons for the next step. */
const Thanks = ({ actor, receipt }: Props & { receipt: Receipt }): ReactElement => {
  const { t } = useLingui();
  const { readsHere } = useBrand();
  const { name, titles = [], gift } = receipt;
  const isOne = titles.length < 2;
  return (
    <chakra.div display="grid" gap={4} textAlign="center">
      <Tick />
      <chakra.h1 fontSize="3xl">
        <Trans>Thank you!</Trans>
      </chakra.h1>
      <chakra.p fontSize="lg" color="inkMuted">
        {gift ? (
          <GiftDelivery name={name} count={titles.length} gift={gift} />
        ) : isOne && name !== '' ? (
          t`“${name}” is in your library.`
        ) : (
          <Plural value={titles.length || 1} one="# title is in your library." other="# titles are in your library." />
        )}
      </chakra.p>
      <chakra.div css={hiddenInPrint} display="flex" flexWrap="wrap" justifyContent="center" gap={3} mt={2}>
        {gift ? (
          <GiftLinks titleId={receipt.titleId} count={titles.length} />
        ) : readsHere ? (
          isOne ? (
            <EventButton actor={actor} event={{ type: 'read.pressed' }} size="lg">
              <Trans>Open now</Trans>
            </EventButton>
          ) : null
        ) : (
          <AppLinks />
        )}
        {gift ? null : <AfterPurchaseButton actor={actor} />}
      </chakra.div>
    </chakra.div>
  );
};

/** Explains a refund and its effects. */
const Refunded = ({ receipt: { name, titles = [], gift, credits } }: { receipt: Receipt }): ReactElement => {
  const { t } = useLingui();
  const isOne = titles.length < 2;
  return (
    <chakra.div display="grid" gap={4} textAlign="center">
      <chakra.h1 fontSize="3xl">
        <Trans>Refunded</Trans>
      </chakra.h1>
      {gift ? null : (
        <chakra.p fontSize="lg" color="inkMuted">
          {isOne ? (
            t`“${name}” is no longer in your library.`
          ) : (
            <Plural
              value={titles.length}
              one="# title is no longer in your library."
              other="# titles are no longer in your library."
            />
          )}
        </chakra.p>
      )}
      {credits === undefined ? (
        <chakra.p color="inkMuted">
          <Trans>The money goes back to the card that you paid with. Your bank may need up to ten days to show it.</Trans>
        </chakra.p>
      ) : null}
      <chakra.div css={hiddenInPrint} display="flex" flexWrap="wrap" justifyContent="center" gap={3} mt={2}>
        <LibraryLink />
      </chakra.div>
    </chakra.div>
  );
};

/** The purchase with its price and its current state. */
const Shown = ({ actor }: Props): ReactElement | null => {
  const { t, i18n } = useLingui();
  const { name: shop, store } = useBrand();
  const creditsText = useCreditsText();
  const rateName = useRateName();
  const receipt = useSelector(actor, (state) => state.context.receipt);
  if (receipt === null) return null;
  const { name, titles = [], gift, refunded = 0, refundedAt, currency, symbol } = receipt;
  const { amount, credits } = receipt;
  const inMoney = amount === undefined ? null : formatPrice({ amount, currency, symbol }, i18n.locale, t`Free`);
  const paid = credits === undefined ? inMoney : creditsText({ amount: credits, currency: store.creditCurrency });
  const isOne = titles.length < 2;
  return (
    <chakra.div display="grid" gap={8}>
      {receipt.refundedAt === undefined ? <Thanks actor={actor} receipt={receipt} /> : <Refunded receipt={receipt} />}
      <Sheet>
        <chakra.h2 fontSize="xl" mb={3}>
          <Trans>Receipt</Trans>
        </chakra.h2>
        {receipt.cover && isOne ? (
          <chakra.div width="6rem" mb={4}>
            <Cover cover={receipt.cover} name={name} priority="eager" sizes="6rem" />
          </chakra.div>
        ) : null}
        <chakra.dl margin={0}>
          {isOne ? <Line name={<Trans>Title</Trans>}>{name}</Line> : <Titles receipt={receipt} />}
          {gift && gift.pii.name !== '' ? (
            <Line name={<Trans>A gift for</Trans>}>
              {gift.pii.name}, {gift.pii.email}
            </Line>
          ) : null}
          {isOne && receipt.tax !== undefined && amount !== undefined ? (
            <Line name={<Trans>Price</Trans>}>
              {formatMoney({ amount: amount - receipt.tax, currency, symbol }, i18n.locale)}
            </Line>
          ) : null}
          {(receipt.taxRates ?? []).map((rate) => (
            <Line key={rate.name} name={rateName(rate)}>
              {formatMoney({ amount: rate.amount ?? 0, currency, symbol }, i18n.locale)}
            </Line>
          ))}
          {paid === null ? null : <Line name={<Trans>Amount paid</Trans>}>{paid}</Line>}
          <Line name={<Trans>Date</Trans>}>
            <time dateTime={receipt.paidAt}>{formatDay(receipt.paidAt, i18n.locale)}</time>
          </Line>
          {refunded === 0 ? null : (
            <Line name={<Trans>Amount refunded</Trans>}>{formatMoney({ amount: refunded, currency, symbol }, i18n.locale)}</Line>
          )}
          {refundedAt === undefined ? null : (
            <Line name={<Trans>Refunded on</Trans>}>
              <time dateTime={refundedAt}>{formatDay(refundedAt, i18n.locale)}</time>
            </Line>
          )}
          <Line name={<Trans>Order number</Trans>}>{formatOrderNumber(receipt.transId)}</Line>
          <Line name={<Trans>Shop</Trans>}>{shop}</Line>
        </chakra.dl>
        <chakra.div css={hiddenInPrint} mt={4}>
          <EventButton actor={actor} event={{ type: 'print.pressed' }} look="outline" size="sm">
            <Trans>Print</Trans>
          </EventButton>
        </chakra.div>
      </Sheet>
    </chakra.div>
  );
};

const FetchingReceipt = (): ReactElement => (
  <Loading>
    <Trans>Loading your receipt…</Trans>
  </Loading>
);

const LoadingSubscription = (): ReactElement => (
  <Loading>
    <Trans>Loading the subscription…</Trans>
  </Loading>
);

const NotFound = ({ actor }: Props): ReactElement =>
  useSelector(actor, ({ context }) => context.isOfPlan) ? <NoSuchPlan /> : <NoReceipt />;

const NoReceipt = (): ReactElement => (
  <Message level={1} failure heading={<Trans>We couldn’t find this receipt</Trans>} actions={<LibraryLink />}>
    <Trans>Everything you own is in My Library.</Trans>
  </Message>
);

const NotShown = ({ actor }: Props): ReactElement => {
  const { problem, isOfPlan } = useSelector(actor, (state) => state.context);
  if (isOfPlan) return <LoadFailure actor={actor} heading={<Trans>We couldn’t load your subscription</Trans>} />;
  return (
    <Failed
      level={1}
      heading={<Trans>We couldn’t load your receipt</Trans>}
      actions={
        <>
          <EventButton actor={actor} event={{ type: 'retry.pressed' }}>
            <Trans>Try again</Trans>
          </EventButton>
          <LibraryLink />
        </>
      }
    >
      {problem === null ? null : formatProblem(problem)} <Trans>Your purchase is safe.</Trans>
    </Failed>
  );
};

const screens: Screens<typeof receiptMachine> = {
  arriving: FetchingReceipt,
  loading: FetchingReceipt,
  loadingSubscription: LoadingSubscription,
  subscribed: Subscribed,
  shown: Shown,
  printing: Shown,
  notFound: NotFound,
  failed: NotShown,
};

/** The receipt page of a purchase. */
export const ReceiptView = ({ actor }: Props): ReactElement => (
  <FlowScreen flow="receipt" actor={actor} screens={screens}>
    {(screen) => <Page width="text">{screen}</Page>}
  </FlowScreen>
);
