// From what a person picks or drops to {path, file}: folders keep their paths, hidden files and folders are left out.

const HIDDEN = /(^|\/)\./;

export function picked(list) {
  return [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file })).filter(isWanted);
}

export async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return picked(transfer.files);
  const found = await Promise.all(entries.map(walk));
  return found.flat().filter(isWanted);
}

function isWanted({ path }) {
  return !HIDDEN.test(path);
}

async function walk(entry) {
  const path = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) return [{ path, file: await new Promise((resolve, reject) => entry.file(resolve, reject)) }];
  const found = [];
  for (const child of await children(entry)) found.push(...(await walk(child)));
  return found;
}

async function children(folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject)); // at most 100 at a time
    if (!some.length) return all;
    all.push(...some);
  }
}
