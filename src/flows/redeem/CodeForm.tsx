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
import { FormPage } from '../../views/late/FormPage.tsx';
import { fieldProblemText } from '../../views/late/field-problem-text.tsx';
import { SupportMail } from '../../views/SupportMail.tsx';

/** What codes are good for in this store. */
export const grants = ({ enableWebTitleRedeem, enableWebSubscriptionRedeem }: StoreProperties): ReactElement => {
  if (enableWebTitleRedeem && enableWebSubscriptionRedeem)
    return <Trans>Codes can be redeemed for titles or a subscription.</Trans>;
  if (enableWebTitleRedeem) return <Trans>Codes can be redeemed for titles.</Trans>;
  if (enableWebSubscriptionRedeem) return <Trans>Codes can be redeemed for a subscription.</Trans>;
  return <Trans>This shop doesn’t accept codes.</Trans>;
};

/** Where help is to be had. */
export const Help = (): ReactElement => (
  <chakra.p fontSize="sm" color="inkMuted">
    <Trans>Have a question about a code?</Trans> <SupportMail />
  </chakra.p>
);

type Props = {
  actor: ActorRefFrom<typeof redeemMachine>;
  heading?: ReactElement;
  /** Why the code that was typed before gives nothing. */
  notice?: ReactElement | null;
};

/** The field for a code, with the one that was refused before. */
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
        above={notice ?? <p>{grants(store)}</p>}
        send={<Trans>See what it gives</Trans>}
        sending={t`Checking…`}
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
          problem={fieldProblemText(fields['code'])}
        />
      </FormPage>
    </Page>
  );
};
