import type { ReactElement } from 'react';
import { chakra } from './chakra.ts';

type Choice<Value extends string> = { value: Value; text: string; lang?: string };

type ChoiceSelectProps<Value extends string> = {
  label: string;
  value: Value;
  choices: Choice<Value>[];
  onChoose: (value: Value) => void;
  /** The event that a choice sends. */
  event: string;
  name: string;
};

/** A select with a few options and its label before it. */
export const ChoiceSelect = <Value extends string>(props: ChoiceSelectProps<Value>): ReactElement => {
  const { label, value, choices, onChoose, event, name } = props;
  return (
    <chakra.label display="inline-flex" alignItems="center" gap={2}>
      {label}
      <chakra.select
        name={name}
        value={value}
        onChange={({ currentTarget }) => {
          const match = choices.find((choice) => choice.value === currentTarget.value);
          if (match) onChoose(match.value);
        }}
        data-event={event}
        minHeight={10}
        px={3}
        bg="surface"
        color="ink"
        border="1px solid"
        borderColor="lineStrong"
        borderRadius="md"
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} lang={choice.lang}>
            {choice.text}
          </option>
        ))}
      </chakra.select>
    </chakra.label>
  );
};
