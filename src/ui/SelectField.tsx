import { useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactElement } from 'react';
import { chakra } from './chakra.ts';
import { controlStyle, Field, type FieldProps } from './Field.tsx';

const Select = chakra('select', { base: controlStyle });

type SelectFieldProps = ComponentProps<typeof Select> &
  FieldProps & { name: string; choices: readonly { value: string; text: string }[] };

/** A labelled, uncontrolled select; its first option means no choice. */
export const SelectField = ({ label, hint, problem, choices, ...select }: SelectFieldProps): ReactElement => {
  const { t } = useLingui();
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(attributes) => (
        <Select {...attributes} {...select}>
          <option value="">{t`Please choose…`}</option>
          {choices.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
};
