import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { redeemMachine } from '../../../machines/buying/redeem.ts';
import { RedeemForm } from '../../../machines/model/buying/redeem.ts';
import type { StoreProperties } from '../../../machines/model/store/store.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Page } from '../../ui/Page.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { FormPage } from '../../views/lazy/FormPage.tsx';
import { formatFieldProblem } from '../../views/lazy/field-problem-text.tsx';
import { SupportMail } from '../../views/SupportMail.tsx';

/** The text about the benefits that codes can have in this store. */
export const getCodeUses = ({ enableWebTitleRedeem, enableWebSubscriptionRedeem }: StoreProperties): ReactElement => {
  if (enableWebTitleRedeem && enableWebSubscriptionRedeem)
    return <Trans>Codes can be redeemed for titles, credits, a subscription or a discount.</Trans>;
  // A store that accepts codes for titles also accepts codes for credits and discounts.
  if (enableWebTitleRedeem) return <Trans>Codes can be redeemed for titles, credits or a discount.</Trans>;
  if (enableWebSubscriptionRedeem) return <Trans>Codes can be redeemed for a subscription.</Trans>;
  return <Trans>This shop doesn’t accept codes.</Trans>;
};

/** A line about where to get help with a code. */
export const Help = (): ReactElement => (
  <chakra.p fontSize="sm" color="inkMuted">
    <Trans>Have a question about a code?</Trans> <SupportMail />
  </chakra.p>
);

type Props = {
  actor: ActorRefFrom<typeof redeemMachine>;
  heading?: ReactElement;
  /** Why the previous code was refused. */
  notice?: ReactElement | null;
};

/** The form for a code; prefilled with the refused code, if any. */
export const CodeForm = ({ actor, heading = <Trans>Redeem a code</Trans>, notice = null }: Props): ReactElement => {
  const { t } = useLingui();
  const { store } = useBrand();
  const fields = useSelector(actor, ({ context }) => context.fields);
  const code = useSelector(actor, ({ context }) => context.pii.form?.code);
  return (
    <Page width="narrow">
      <FormPage
        actor={actor}
        name="code"
        form={RedeemForm}
        heading={heading}
        above={notice ?? <p>{getCodeUses(store)}</p>}
        submitText={<Trans>See what you get</Trans>}
        busyText={t`Checking…`}
        below={<Help />}
      >
        <TextField
          key={code}
          name="code"
          defaultValue={code}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          label={t`Code`}
          hint={t`Capital letters, spaces and dashes make no difference.`}
          problem={formatFieldProblem(fields['code'])}
        />
      </FormPage>
    </Page>
  );
};
