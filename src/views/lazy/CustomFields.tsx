import { useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { CustomField, CustomValues } from '../../../machines/model/account/custom-field.ts';
import { customInputName } from '../../../machines/model/account/custom-form.ts';
import type { FieldProblems } from '../../../machines/model/account/session.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { formatFieldProblem } from './field-problem-text.tsx';

type CustomFieldProps = { field: CustomField; value: string; problems: FieldProblems };

const CustomInput = ({ field, value, problems }: CustomFieldProps): ReactElement => {
  const { t } = useLingui();
  const { kind, label, isRequired, choices } = field;
  const name = customInputName(field);
  const problem = formatFieldProblem(problems[name]);
  const hint = isRequired ? null : t`Optional`;
  switch (kind) {
    case 'checkbox':
      return <Checkbox name={name} label={label} defaultChecked={value === 'true'} problem={problem} />;
    case 'choice':
      return <SelectField name={name} label={label} hint={hint} choices={choices} defaultValue={value} problem={problem} />;
    case 'date':
      return <TextField name={name} type="date" label={label} hint={hint} defaultValue={value} problem={problem} />;
    case 'number':
      return <TextField name={name} inputMode="decimal" label={label} hint={hint} defaultValue={value} problem={problem} />;
    case 'text':
      return <TextField name={name} label={label} hint={hint} defaultValue={value} problem={problem} />;
  }
};

type CustomFieldsProps = {
  fields: readonly CustomField[];
  /** The values that the customer has entered before. */
  values?: CustomValues;
  /** Validation errors, by the names of the inputs. */
  problems: FieldProblems;
};

/** The store's custom fields, each as an input of its kind. */
export const CustomFields = ({ fields, values = {}, problems }: CustomFieldsProps): ReactElement[] =>
  fields.map((field) => <CustomInput key={field.id} field={field} value={values[field.id] ?? ''} problems={problems} />);
