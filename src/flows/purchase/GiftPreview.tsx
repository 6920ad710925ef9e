import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import type { GiftForm, GiftPreview as Shown } from '../../../machines/model/buying/gift.ts';
import { formatDay } from '../../brand/facts.ts';
import { chakra } from '../../ui/chakra.ts';
import { usePurchase, type PurchaseProps } from './props.ts';

const Paper = chakra('section', {
  base: {
    display: 'grid',
    gap: 3,
    bg: 'sunken',
    border: '1px solid',
    borderColor: 'line',
    borderRadius: 'md',
    p: { base: 4, md: 6 },
    // The CSS reset sets `overflow-wrap` on every element, so children do not inherit it.
    '& *': { overflowWrap: 'anywhere' },
    '& p': { whiteSpace: 'pre-line' },
  },
});

/** The frame of an e-mail, with the recipient's address. */
const EmailFrame = ({ to, children }: { to: string; children: ReactNode }): ReactElement => {
  const { t } = useLingui();
  return (
    <Paper aria-label={t`The email`} data-letter>
      <chakra.p fontSize="sm" color="inkMuted">
        <Trans>To: {to}</Trans>
      </chakra.p>
      {children}
    </Paper>
  );
};

/** A preview of the e-mail; its link has no target yet. */
const Preview = ({ preview, to }: { preview: Shown; to: string }): ReactElement => {
  return (
    <EmailFrame to={to}>
      <chakra.h2 fontSize="lg">{preview.subject}</chakra.h2>
      {preview.before.map((paragraph, index) => (
        <p key={index}>{paragraph}</p>
      ))}
      <p>
        <chakra.span color="accentInk" textDecoration="underline">
          {preview.link}
        </chakra.span>
      </p>
      {preview.after.map((paragraph) => (
        <chakra.p key={paragraph} fontSize="sm" color="inkMuted">
          {paragraph}
        </chakra.p>
      ))}
    </EmailFrame>
  );
};

/** The gift's e-mail in the page's own texts, where the server has no preview. */
const FallbackPreview = ({ form: { name, email: to, message } }: { form: GiftForm }): ReactElement => {
  const { t } = useLingui();
  return (
    <EmailFrame to={to}>
      <p>{t`${name} gets an email with your gift.`}</p>
      {message === '' ? null : (
        <>
          <p>
            <Trans>Your message:</Trans>
          </p>
          <p>{message}</p>
        </>
      )}
    </EmailFrame>
  );
};

const DeliveryTime = ({ form: { day: deliveryDay }, today }: { form: GiftForm; today: string }): ReactElement => {
  const { i18n } = useLingui();
  const date = formatDay(deliveryDay, i18n.locale);
  return (
    <p>
      {deliveryDay === '' || deliveryDay === today ? (
        <Trans>It will be sent as soon as it’s paid for.</Trans>
      ) : (
        <Trans>It will be sent on the morning of {date}.</Trans>
      )}
    </p>
  );
};

/** A preview of a gift's e-mail, and when it is sent. */
export const GiftPreview = ({ actor }: PurchaseProps): ReactElement | null => {
  const { days, pii } = usePurchase(actor);
  const { gift: form, preview } = pii;
  if (days === null || form === null) return null;
  return (
    <>
      {preview === null ? <FallbackPreview form={form} /> : <Preview preview={preview} to={form.email} />}
      <DeliveryTime form={form} today={days.today} />
    </>
  );
};
