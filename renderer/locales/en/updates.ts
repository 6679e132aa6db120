/** Texts of the updates of the desktop app. */
export const updates = {
  updates: {
    title: 'Updates',
    running: 'You are using Sello {version}.',
    idle: 'Look for a new version whenever you like.',
    checking: 'Looking for a new version…',
    current: 'You have the latest version. Checked {ago}.',
    available: 'There is a new version: {version}. It is downloaded when you say so.',
    downloading: 'Downloading {version}: {percent}%. You can go on working.',
    ready: 'Version {version} is ready. Sello closes, installs it and opens again.',
    waiting: 'One moment: Sello restarts as soon as what it is issuing, saving or sending is done.',
    progress: 'Download of the new version',
    check: 'Look now',
    download: 'Download',
    restart: 'Restart and install',
    later: 'Not now',
    byItself: 'Tell me about new versions',
    byItselfHelp:
      'Sello asks once a day whether there is one. It sends none of your data, and nothing is downloaded or installed without your permission.',
    found: 'There is a new version of Sello: {version}',
    foundText: 'Download it when it suits you.',
    see: 'See',
    fault: {
      network: 'Sello could not ask for new versions. Check the connection and look again.',
      signature:
        'The download is not signed by the makers of Sello, so it was not installed. You still have your version; if it happens again, ask for help.',
      unsupported:
        'This installation cannot update itself. Install the new version as you installed this one.',
      other: 'The update was not completed. You still have your version; look again later.',
    },
  },
}
