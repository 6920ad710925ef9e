// Plays window.story; tells the page around it {type: "progress", node} at every step and {type: "done"} at an ending.
(() => {
  const story = window.story;
  const part = (id) => document.getElementById(id);
  const [passage, choices, end, back, restart, step] = [
    'passage',
    'choices',
    'end',
    'back',
    'restart',
    'step',
  ].map(part);
  const asked = new URLSearchParams(location.hash.slice(1)).get('node');
  let path = [asked && story.nodes[asked] ? asked : story.start];

  const tell = (message) => {
    if (window.parent !== window) window.parent.postMessage(message, '*');
  };

  function paragraphs(text) {
    return text.split(/\n\s*\n/).map((block) => {
      const paragraph = document.createElement('p');
      block.split(/(\*[^*]+\*)/).forEach((piece) => {
        const emphasised = piece.startsWith('*') && piece.endsWith('*') && piece.length > 2;
        const node = document.createElement(emphasised ? 'em' : 'span');
        node.textContent = emphasised ? piece.slice(1, -1) : piece;
        paragraph.append(node);
      });
      return paragraph;
    });
  }

  function choice({ label, to }, index) {
    const item = document.createElement('li');
    const button = document.createElement('button');
    const key = document.createElement('kbd');
    key.textContent = `${index + 1}`;
    key.setAttribute('aria-hidden', 'true');
    button.type = 'button';
    button.append(key, label);
    button.addEventListener('click', () => go([...path, to]));
    item.append(button);
    return item;
  }

  function show(moved) {
    const id = path.at(-1);
    const node = story.nodes[id];
    const open = node.choices.filter(({ to }) => story.nodes[to]);
    passage.replaceChildren(...paragraphs(node.text));
    choices.replaceChildren(...open.map(choice));
    for (const block of [passage, choices]) {
      block.style.animation = 'none';
      void block.offsetHeight;
      block.style.animation = '';
    }
    const cut = open.length === 0 && node.choices.length > 0;
    end.hidden = open.length > 0;
    end.textContent = cut ? story.sampleEnd : story.ending;
    back.disabled = path.length < 2;
    step.textContent = `${path.length}`;
    step.setAttribute('aria-label', `Step ${path.length}`);
    if (moved) passage.focus();
    tell({ type: 'progress', node: id });
    if (open.length === 0) tell({ type: 'done' });
  }

  function go(next) {
    path = next;
    show(true);
    window.scrollTo(0, 0);
  }

  back.addEventListener('click', () => path.length > 1 && go(path.slice(0, -1)));
  restart.addEventListener('click', () => go([story.start]));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const button = choices.querySelectorAll('button')[Number(event.key) - 1];
    if (button) button.click();
  });
  show(false);
})();
