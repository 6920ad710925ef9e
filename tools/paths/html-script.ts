/** What the page of a plan knows of its steps; a test's start is its step 0. */
export type PlanInPage = {
  machine: string;
  plan: string;
  /** Under which the browser keeps the results: another plan has another key. */
  key: string;
  steps: { test: number; step: number; by: string; does: string }[];
};

/**
 * Runs in the page of a plan: keeps what the tester ticks, chooses and writes in the browser until it is cleared, counts it,
 * and gives it away as a file. It is written into the page as text, and so uses nothing from outside itself.
 */
export function runPlan(): void {
  const { machine, plan, key, steps } = JSON.parse(document.querySelector('#plan')?.textContent ?? '') as PlanInPage;
  const form = document.querySelector('form');
  const progress = document.querySelector('#progress');
  if (!form || !progress) return;

  type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
  const fields = [...form.elements].filter((field): field is Field => 'name' in field && field.name !== '');
  const isBox = (field: Field): field is HTMLInputElement => field instanceof HTMLInputElement && field.type === 'checkbox';
  const fieldOf = (name: string): Field | undefined => fields.find((field) => field.name === name);
  const resultsOf = () =>
    steps.map(({ test, step, by, does }) => {
      const prefix = `${test}.${step}.`;
      return {
        test,
        step,
        by,
        does,
        result: fieldOf(`${prefix}result`)?.value ?? '',
        note: fieldOf(`${prefix}note`)?.value ?? '',
      };
    });

  const read = (): Record<string, string> => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, string>;
    } catch {
      return {};
    }
  };
  const keep = (): void => {
    const values = fields.map((field) => [field.name, isBox(field) ? (field.checked ? 'on' : '') : field.value]);
    try {
      localStorage.setItem(key, JSON.stringify(Object.fromEntries(values.filter(([, value]) => value !== ''))));
    } catch {
      progress.setAttribute('data-unkept', '');
    }
  };

  const show = (): void => {
    const results = resultsOf();
    const count = (result: string): number => results.filter((each) => each.result === result).length;
    const done = results.length - count('');
    progress.textContent = `${done} of ${results.length} starts and steps done: ${count('passed')} passed, ${count('failed')} failed, ${count('blocked')} blocked`;
    for (const { test, step, result } of results) {
      form.querySelector(`[data-step="${test}.${step}"]`)?.setAttribute('data-result', result);
    }
  };

  const fill = (values: Record<string, string>): void => {
    for (const field of fields) {
      const value = values[field.name] ?? '';
      if (isBox(field)) field.checked = value === 'on';
      else field.value = value;
    }
  };

  form.addEventListener('input', ({ target }) => {
    const box = target as Field;
    const step = box.closest('[data-step]');
    const boxes = [...(step?.querySelectorAll<HTMLInputElement>('input[type=checkbox]') ?? [])];
    const result = fieldOf(`${step?.getAttribute('data-step') ?? ''}.result`);
    // Whoever has seen all that is to be seen need not say so twice.
    const isAllSeen = boxes.every(({ checked }) => checked);
    if (result && isBox(box)) {
      if (isAllSeen && result.value === '') result.value = 'passed';
      // Nor is what somebody takes back passed any longer.
      if (!isAllSeen && result.value === 'passed') result.value = '';
    }
    // Passed means that all of it was seen.
    if (box === result && result.value === 'passed') for (const each of boxes) each.checked = true;
    keep();
    show();
  });
  form.addEventListener('submit', (event) => event.preventDefault());

  const save = (text: string, type: string, ending: string): void => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = `${plan}.results.${ending}`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  // A note that begins like a formula would be one in a spreadsheet.
  const cell = (value: string | number): string =>
    `"${String(value)
      .replace(/^(?=[=+@-])/, "'")
      .replaceAll('"', '""')}"`;
  const seenIn = (test: number, step: number) =>
    [...form.querySelectorAll<HTMLInputElement>(`[data-step="${test}.${step}"] input[type=checkbox]`)].map((box) => ({
      text: box.closest('label')?.textContent.trim() ?? '',
      seen: box.checked,
    }));
  const actions: Record<string, () => void> = {
    json: () => {
      const done = resultsOf().map((each) => ({
        ...each,
        result: each.result || 'not done',
        sees: seenIn(each.test, each.step),
      }));
      const results = { machine, plan, savedAt: new Date().toISOString(), browser: navigator.userAgent, steps: done };
      save(`${JSON.stringify(results, null, 2)}\n`, 'application/json', 'json');
    },
    csv: () => {
      const unseen = (test: number, step: number): string =>
        seenIn(test, step)
          .flatMap(({ text, seen }) => (seen ? [] : [text]))
          .join(' | ');
      const rows = resultsOf().map(({ test, step, by, does, result, note }) => [
        test,
        step,
        by,
        does,
        result,
        result === '' ? '' : unseen(test, step),
        note,
      ]);
      const lines = [['test', 'step', 'by', 'does', 'result', 'not seen', 'note'], ...rows].map((row) => row.map(cell).join(','));
      save(`\uFEFF${lines.join('\r\n')}\r\n`, 'text/csv', 'csv');
    },
    clear: () => {
      if (!confirm('Clear all results and notes of this plan?')) return;
      fill({});
      keep();
      show();
    },
  };
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-action]')) {
    button.addEventListener('click', () => actions[button.dataset['action'] ?? '']?.());
  }

  const fillAgain = (): void => {
    fill(read());
    show();
  };
  // The plan may be open in two tabs; and what was ticked just before a reload may reach the page only after it has begun.
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) fillAgain();
  });
  fillAgain();
  document.documentElement.setAttribute('data-runs', '');
}
